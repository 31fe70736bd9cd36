/// Keeps an observer alive: made by `observe`, and cancelled by `cancel()` or when it is released.
public final class SubstanceObservation: Sendable {
  private let listeners: Listeners
  private let listener: Listener?
  private let key: Int

  init(_ listener: Listener?, among listeners: Listeners, key: Int) {
    self.listeners = listeners
    self.listener = listener
    self.key = key
  }

  deinit { cancel() }

  /// Ends the observation at once: not even what is being delivered will reach the handler. Idempotent; from any
  /// thread.
  ///
  /// What the handler holds is let go of by this call; or, if the flux is performing an operation, when that has ended,
  /// on the thread that performs it.
  public func cancel() {
    guard let listener, listener.isListening else { return }
    listener.retire()
    listener.queue?.setCurrent(nil)
    listeners.remove(listener, key: key)
  }
}
