/// An effect that wants to run.
struct EffectOffer: Sendable {
  let run: Int
  let id: EffectID
  /// The worker that it belongs to.
  let owner: ObjectIdentifier
  let policy: FluxEffectPolicy
  let pace: FluxEffectPace
}
