import FlaskCore
@testable import KernelFixtures

/// A reactive substance that changes itself and then aborts.
final class Quitter: ReactiveSubstance<Tally, ClerkMixers>, @unchecked Sendable {
  override func defineMixers() {
    define(mix: .add) { _, _, abort in
      self.prop.counter = 99
      abort()
    }
  }
}
