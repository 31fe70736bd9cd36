internal import Synchronization

/// Where a listener is listed.
package protocol ListenerHome: AnyObject, Sendable {
  /// Removes an observer of a key. It may still be notified, unless it has been retired.
  func remove(_ observer: Listener, key: Int)
}

/// Keeps an observer alive: made by `observe`, and cancelled by `cancel()` or when it is released.
///
/// The observation retains no substance. It only retains the links between the substances and the observer: a derived
/// value with its closure, the path of a scope. So keeping it does not keep substances.
public final class SubstanceObservation: Sendable {
  private let home: (any ListenerHome)?
  private let listener: Listener?
  private let key: Int
  /// The links between the substances and the observer; owned.
  private let held = Atomic<UnretainedReference<AnyObject>?>(nil)

  package init(_ listener: Listener?, among home: (any ListenerHome)?, key: Int) {
    self.home = home
    self.listener = listener
    self.key = key
  }

  deinit {
    cancel()
    Liveness.observer?.didRemove(ObjectIdentifier(self))
  }

  /// Retains an object until the observation ends. Call once, before other threads have the observation.
  package func hold(_ object: any AnyObject & Sendable) { held.store(.owned(object), ordering: .releasing) }

  /// Reports the observation to the inspections of the flux.
  func noted(as name: @autoclosure () -> String, in flux: AnyObject, at place: SourcePlace) {
    guard listener != nil, let observer = Liveness.observer else { return }
    observer.didMake(self, .observation, in: flux, at: place, name: name(), type: nil, holder: nil)
  }

  /// Ends the observation at once: no further commit reaches the handler, not even a commit in delivery, except for a
  /// call that another thread is about to make. Idempotent. It may be called on any thread.
  ///
  /// This call releases the links between the substances and the observer. The handler is released with the
  /// observation, or, if the flux is performing an operation then, when that has ended, on the thread that performs it.
  public func cancel() {
    held.exchange(nil, ordering: .acquiringAndReleasing)?.release()
    guard let listener, listener.retire() else { return }
    Liveness.observer?.didRemove(ObjectIdentifier(self))
    listener.queue?.setCurrent(nil)
    home?.remove(listener, key: key)
  }
}
