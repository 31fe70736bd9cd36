/// An effect as it was registered.
struct EffectSpec: Sendable {
  let id: EffectID
  let policy: FluxEffectPolicy
  let pace: FluxEffectPace
  let clock: any Clock<Duration>
  let place: SourcePlace
  let body: @Sendable (any FluxAction, FluxEffectDispatch) async throws -> Void
}
