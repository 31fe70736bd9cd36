internal import Synchronization

/// The observer of the creation and the deallocation of objects, which `LivenessRegistry` of `FlaskInsight` implements.
/// Any thread may call any function; no lock is held then.
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

package enum LiveObjectKind: String, Sendable { case substance, reactor, observation, derived, effect }

/// The observer of live objects; `nil` if none is set. Without an observer, making an object only checks a flag.
package enum Liveness {
  private static let isObserved = Atomic<Bool>(false)
  private static let slot = MadeOnce<Held<any LivenessObserver>>()

  /// `nil` while no observer is notified.
  @inline(__always)
  package static var observer: (any LivenessObserver)? { isObserved.load(ordering: .relaxed) ? present : nil }

  @inline(never)
  private static var present: (any LivenessObserver)? { slot.present?.object.value }

  /// Starts or stops notifying the observer. All calls pass the same observer.
  package static func notify(_ observer: any LivenessObserver, _ isWanted: Bool) {
    _ = slot.object { Held(observer) }
    isObserved.store(isWanted, ordering: .releasing)
  }
}
