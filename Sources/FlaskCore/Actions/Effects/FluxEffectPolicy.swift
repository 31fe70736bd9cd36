/// What becomes of an effect when others of its identifier are running.
public enum FluxEffectPolicy: Sendable, CaseIterable {
  /// It runs beside them.
  case concurrent
  /// It runs, and they are cancelled.
  case latest
  /// It is ignored while one runs.
  case exhaust
  /// It waits until they have ended: one after the other, in the order of the actions.
  case queue
}
