import FlaskCore

enum CallerMixers: SubstanceMixer { case call }

/// A reactive substance that calls a closure from its mixer.
final class Caller: ReactiveSubstance<Tally, CallerMixers>, @unchecked Sendable {
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
    super.init()
  }

  override func defineMixers() {
    define(mix: .call) { _, react, _ in
      self.body()
      react()
    }
  }
}
