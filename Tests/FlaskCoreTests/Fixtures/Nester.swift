import FlaskCore
@testable import KernelFixtures

/// A reactive substance whose mixer defines a mixer.
final class Nester: ReactiveSubstance<Tally, CallerMixers>, @unchecked Sendable {
  /// The line of the inner definition.
  let line: UInt = 12

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
