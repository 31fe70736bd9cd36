import FlaskCore
@testable import KernelFixtures

/// A reactive substance that defines one mixer twice.
final class Doubler: ReactiveSubstance<Tally, CallerMixers>, @unchecked Sendable {
  /// The line of the second definition.
  let line: UInt = 14

  override func defineMixers() {
    define(mix: .call) { _, react, _ in
      self.prop.counter += 1
      react()
    }
    define(mix: .call) { _, react, _ in
      self.prop.counter += 100
      react()
    }
  }
}
