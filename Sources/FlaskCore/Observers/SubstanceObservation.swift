/// Keeps an observer alive: made by `observe`, and cancelled by `cancel()` or when it is released.
public final class SubstanceObservation: @unchecked Sendable {
  // `@unchecked` because of the weak reference, which is never written again.
  private weak var substance: AnySubstance?
  private let listener: ReactionListener?
  private let key: Int

  init(of substance: AnySubstance, key: Int, listener: ReactionListener?) {
    self.substance = substance
    self.key = key
    self.listener = listener
  }

  deinit { cancel() }

  /// Ends the observation at once: not even what is being delivered will reach the handler. Idempotent; from any thread.
  ///
  /// What the handler holds is let go of by this call; or, if the flux is performing an operation, when that has ended, on the thread that
  /// performs it.
  public func cancel() {
    guard let listener, listener.isListening else { return }
    listener.retire()
    substance?.core.audience.remove(listener, key: key)
  }
}
