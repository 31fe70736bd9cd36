internal import Synchronization

/// The observer that is notified when substances, reactors and other objects are made, and when they are no longer
/// used. `LivenessRegistry` of `FlaskInsight` implements it. Any thread may call any function; the caller holds no
/// lock.
package protocol LivenessObserver: Sendable {
  /// - Parameters:
  ///   - object: calls `didRemove` in its `deinit`, or when it is no longer used.
  ///   - name: the name of the substance, or the observed keys; empty where `type` says more.
  ///   - type: the type of an action or a value.
  ///   - holder: the type of the owner, if that is known.
  func didMake(
    _ object: AnyObject,
    _ kind: LiveObjectKind,
    in flux: AnyObject,
    at place: SourcePlace,
    name: String,
    type: Any.Type?,
    holder: Any.Type?
  )
  func didRename(_ object: ObjectIdentifier, to name: String)
  /// An effect that waited has started.
  func didStart(_ object: ObjectIdentifier)
  func didRemove(_ object: ObjectIdentifier)
}

package enum LiveObjectKind: String, Sendable { case substance, reactor, observation, derived, effect, work }

/// The access to the `LivenessObserver` of the process, if one is set. Without an observer, the creation of an object
/// only checks a flag.
package enum Liveness {
  private static let isObserved = Atomic<Bool>(false)
  private static let slot = MadeOnce<Held<any LivenessObserver>>()

  /// `nil` while no observer is notified.
  @inline(__always)
  package static var observer: (any LivenessObserver)? { isObserved.load(ordering: .relaxed) ? present : nil }

  @inline(never)
  private static var present: (any LivenessObserver)? { slot.present?.object.value }

  /// Starts or stops the notification of `observer`. All calls must pass the same observer.
  package static func notify(_ observer: any LivenessObserver, _ isWanted: Bool) {
    _ = slot.object { Held(observer) }
    isObserved.store(isWanted, ordering: .releasing)
  }
}
