/// What travels with a global mixer: named values of the user's.
public typealias FluxPayload = [String: any Sendable]

/// A global mixer on its way to the substances that define it.
struct MixerCall: Sendable {
  let flux: Flux
  let key: MixerKey
  let payload: FluxPayload?
  /// The typed action, in place of mixer and payload.
  var action: (any FluxAction)?
}
