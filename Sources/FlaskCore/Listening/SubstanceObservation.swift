internal import Synchronization

/// Where a listener is listed.
package protocol ListenerHome: AnyObject, Sendable {
  /// Removes an observer of a key. The observer may still be notified, unless it has been retired.
  func remove(_ observer: Listener, key: Int)
}

/// An object that an observation holds, and that ends with it, even while other code retains the object.
protocol EndsWithObservation: AnyObject {
  /// Called once, by `cancel()` or by the release of the observation, on any thread.
  func end()
}

/// The registration of an observer, returned by `observe`. It ends with `cancel()` or with its release.
///
/// The observation does not retain the substances. It retains only the objects that link the substances to the
/// observer: a derived value with its closure, the path of a scope, or the handler of a mixer.
public final class SubstanceObservation: Sendable {
  private let home: (any ListenerHome)?
  private let listener: Listener?
  private let key: Int
  /// The object that links the substances to the observer; retained.
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

  /// Reports the observation to the `LivenessObserver`, which lists the live objects of the flux.
  func noted(as name: @autoclosure () -> String, in flux: AnyObject, at place: SourcePlace) {
    guard listener != nil, let observer = Liveness.observer else { return }
    observer.didMake(self, .observation, in: flux, at: place, name: name(), type: nil, holder: nil)
  }

  /// Ends the observation at once: no further commit reaches the handler, not even a commit in delivery. The exception
  /// is a call that another thread is about to make. Idempotent. It may be called on any thread.
  ///
  /// The objects that link the substances to the observer, and the handler of a mixer, are released by this call; any
  /// other handler is released with the observation.
  /// If the flux is performing an operation at the time, the performing thread releases the handler after the
  /// operation.
  public func cancel() {
    if let held = held.exchange(nil, ordering: .acquiringAndReleasing) {
      (held.object as? any EndsWithObservation)?.end()
      held.release()
    }
    guard let listener, listener.retire() else { return }
    Liveness.observer?.didRemove(ObjectIdentifier(self))
    listener.queue?.setCurrent(nil)
    home?.remove(listener, key: key)
  }
}
