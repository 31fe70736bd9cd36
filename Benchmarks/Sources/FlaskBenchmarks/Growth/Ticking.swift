import FlaskCore

/// One number.
struct SmallState: FlaskState {
  var number = 0
}

/// A substance that reacts to a global mixer.
final class Ticking: ReactiveSubstance<SmallState, Ticking.Mixers>, @unchecked Sendable {
  enum Mixers: SubstanceMixer { case tick }

  override func defineMixers() {
    define(mix: .tick) { [self] _, react, _ in
      prop.number &+= 1
      react()
    }
  }
}
