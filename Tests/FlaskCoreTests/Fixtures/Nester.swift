import FlaskCore

/// A reactive substance whose mixer defines a mixer.
final class Nester: ReactiveSubstance<Tally, CallerMixers>, @unchecked Sendable {
  /// The line of the inner definition.
  let line: UInt = 11

  override func defineMixers() {
    define(mix: .call) { _, react, _ in
      self.prop.counter += 1
      self.define(mix: .call) { _, react, _ in
        self.prop.counter += 100
        react()
      }
      react()
    }
  }
}
