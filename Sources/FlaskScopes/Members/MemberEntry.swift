internal import FlaskPrimitives
internal import Synchronization

/// A listener to notify of a change of its member. It has the addresses of the old and the new member if these are
/// known.
struct MemberNotification {
  let observer: MemberListener
  var member: (old: UnsafeRawPointer, new: UnsafeRawPointer)?
}

/// A type-erased listener of a member. It is not nested in the generic `MemberEntry`, so that lists of listeners are
/// compiled once. It is an object, so that passing it costs one retain.
final class MemberListener {
  let listener: Listener
  /// A closure that is called instead of `listener` under two conditions. The addresses of the old and the new member
  /// are known, and the notification is delivered at once, during the commit. The closure gets the member instead of
  /// the states, and need not find the member again.
  let notify: MemberHandler?
  let news: MemberEvent
  /// The position in the order of creation. Listeners of several members are notified in this order.
  let serial: Int
  /// The number of operations that the flux had published when the listener was added. The listener is notified of
  /// later operations only.
  let epoch: Int
  /// Called when the member was removed, after all listeners have been notified.
  let ended: (@Sendable () -> Void)?

  init(
    _ listener: Listener,
    _ notify: MemberHandler?,
    _ news: MemberEvent,
    epoch: Int,
    ended: (@Sendable () -> Void)?
  ) {
    self.listener = listener
    self.notify = notify
    self.news = news
    self.epoch = epoch
    self.ended = ended
    serial = Self.made.add(1, ordering: .relaxed).newValue
  }

  private static let made = Atomic<Int>(0)
}

/// The entry of a container observer for one member that has a scope.
///
/// An entry is first added to the container observer, and then the state is pinned from which its first value is read.
/// So it misses no commit. It ignores commits that this first state already contains.
///
/// `@unchecked Sendable`:
/// - Ownership: the memory at `values` is freed when the entry is deallocated.
/// - Isolation: the lock guards the last committed value; the other value belongs to the performer. The rest is
///   constant, atomic, or behind the lock.
/// - If violated: a data race.
final class MemberEntry<M: Membership>: MemberNode, @unchecked Sendable {
  let membership: M
  /// Memory for two values of the member: the last committed one and the next one. It is not a part of the locked
  /// state. Otherwise the state would be generic, and its type would be looked up at run time for each commit.
  private let values: UnsafeMutablePointer<M.Member>
  private let state = Lock(MemberEntryState())

  init(_ membership: M, found: Found<M.Member>) {
    self.membership = membership
    values = .allocate(capacity: 2)
    values.initialize(to: found.member)
    super.init(identityHash: membership.identityHash, place: found.place)
  }

  deinit {
    (values + state.withLock { $0.last }).deinitialize(count: 1)
    values.deallocate()
  }

  /// The last committed value of the member, for reads while the container does not have the member.
  var lastMember: M.Member { state.withLock { (values + $0.last).pointee } }

  /// Whether the member existed after the last commit that changed it.
  var isThere: Bool { state.withLock { $0.isThere } }

  /// Pins the state from which the member's first value is read, and records its version. Commits up to this version
  /// are then ignored.
  func begin(_ pin: () -> StateBox) -> StateBox {
    state.withLock { state in
      let box = pin()
      state.begin(at: box.number)
      return box
    }
  }

  /// Sets the member's first value: `found`, from the state that was pinned for the entry. Does nothing if a later
  /// commit was already applied.
  func setFirst(_ found: Found<M.Member>?) {
    state.withLockReleasing { state -> M.Member? in
      guard state.setFirst(isThere: found != nil), let found else { return nil }
      follow(to: found.place)
      let old = (values + state.last).move()
      (values + state.last).initialize(to: found.member)
      return old
    }
  }

  /// Applies a commit to the entry. Appends the listeners to notify to `notifications`. Appends the listeners whose
  /// observation has ended, since the member was removed, to `ended`. Called by the performer.
  func apply(
    _ change: MemberChange<M>,
    of number: Int,
    adding notifications: inout [MemberNotification],
    ended: inout [MemberListener]
  ) {
    guard let value = change.new ?? change.old else { return }
    let isThere = change.new != nil
    let isFlip = (change.old == nil) != (change.new == nil)
    let old = state.withLock { state -> Int? in
      let old = state.last
      let isStored = state.committed(
        number,
        isThere: isThere,
        isFlip: isFlip,
        notifying: { notifications.append(MemberNotification(observer: $0, member: change.membersInPlace)) },
        ended: &ended
      )
      if !isStored { return nil }
      (values + state.last).initialize(to: value.pointee)
      return old
    }
    // The previous value of the member is released after the lock, since a release may run client code.
    if let old { (values + old).deinitialize(count: 1) }
  }

  // MARK: Who listens

  func add(
    _ listener: Listener,
    _ notify: MemberHandler?,
    _ news: MemberEvent,
    epoch: Int,
    ended: (@Sendable () -> Void)?
  ) {
    let observer = MemberListener(listener, notify, news, epoch: epoch, ended: ended)
    state.withLock { $0.add(observer) }
  }

  func remove(_ listener: Listener) {
    state.withLockReleasing { $0.remove(listener) }
  }
}

extension MemberChange {
  /// The addresses of the member before and after the commit, valid during the commit's notifications. `nil` unless the
  /// member exists in both states and is read in place, in the memory of its container.
  fileprivate var membersInPlace: (old: UnsafeRawPointer, new: UnsafeRawPointer)? {
    guard isInPlace, let old, let new else { return nil }
    return (UnsafeRawPointer(old), UnsafeRawPointer(new))
  }
}
