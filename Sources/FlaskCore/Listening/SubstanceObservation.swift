internal import Synchronization

/// Where a listener is listed.
package protocol ListenerHome: AnyObject, Sendable {
  /// Removes an observer of a key. It is told nothing more from now on only if it has been retired.
  func remove(_ observer: Listener, key: Int)
}

/// Keeps an observer alive: made by `observe`, and cancelled by `cancel()` or when it is released.
///
/// It holds no substance, but what lies between the substances and the observer: a derived value with its closure, the
/// way of a scope. So whoever keeps it, and the substances somewhere, keeps nothing else.
public final class SubstanceObservation: Sendable {
  private let home: (any ListenerHome)?
  private let listener: Listener?
  private let key: Int
  /// What lies between the substances and the observer; owned.
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

  /// Holds an object until it ends. To be called once, before anybody else has this.
  package func hold(_ object: any AnyObject & Sendable) { held.store(.owned(object), ordering: .releasing) }

  /// Has those know of it who inspect the flux.
  func noted(as name: @autoclosure () -> String, in flux: AnyObject, at place: SourcePlace) {
    guard listener != nil, let observer = Liveness.observer else { return }
    observer.didMake(self, .observation, in: flux, at: place, name: name(), type: nil, holder: nil)
  }

  /// Ends the observation at once: no commit reaches the handler any more, not even one that is being delivered, except
  /// one that another thread is about to call it with. Idempotent; from any thread.
  ///
  /// What lies between the substances and the observer is released by this call; the handler with the observation, or,
  /// if the flux is performing an operation then, when that has ended, on the thread that performs it.
  public func cancel() {
    held.exchange(nil, ordering: .acquiringAndReleasing)?.release()
    guard let listener, listener.retire() else { return }
    Liveness.observer?.didRemove(ObjectIdentifier(self))
    listener.queue?.setCurrent(nil)
    home?.remove(listener, key: key)
  }
}
