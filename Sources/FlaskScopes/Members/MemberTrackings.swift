internal import FlaskPrimitives

/// Notifies Observation of changes of members of the containers of one substance. A tracked closure that reads a member
/// through a scope depends only on the keys that it reads of this member.
///
/// The publisher of the substance retains this object. A member is registered here as long as a tracked closure refers
/// to the member.
final class MemberTrackings: Sendable {
  typealias Tracking = (publisher: StatePublisher, observation: SubstanceObservation)

  private struct State {
    var all: [ObjectIdentifier: Tracking] = [:]
    /// The number of registered members at which unused members are removed. They must be removed here, since a closure
    /// may end without a notification.
    var limit = 64
  }

  private let state = Lock(State())

  /// The number of registered members.
  var count: Int { state.withLock { $0.all.count } }

  /// Records that a tracked closure reads a key of a member. `handle` identifies the `MemberPart` of the member.
  func add(_ key: Int, of handle: ObjectIdentifier, _ make: () -> Tracking) {
    let isKnown = state.withLock { state in
      state.all[handle].map { $0.publisher.noteAccess(to: key) } != nil
    }
    if isKnown { return }
    var unused: [Tracking] = [make()]
    state.withLock { state in
      if state.all[handle] == nil { state.all[handle] = unused.removeLast() }
      state.all[handle]?.publisher.noteAccess(to: key)
      if state.all.count < state.limit { return }
      for (handle, tracking) in state.all where tracking.publisher.isUnreferenced {
        unused.append(tracking)
        state.all[handle] = nil
      }
      state.limit = max(64, 2 * state.all.count)
    }
    // Released with no lock held.
    withExtendedLifetime(unused) {}
  }

  /// Ends the registration of a member if no tracked closure refers to it. `handle` identifies the `MemberPart` of the
  /// member.
  func removeUnused(_ handle: ObjectIdentifier) {
    state.withLockReleasing { state -> Tracking? in
      guard let tracking = state.all[handle], tracking.publisher.isUnreferenced else { return nil }
      return state.all.removeValue(forKey: handle)
    }
  }
}
