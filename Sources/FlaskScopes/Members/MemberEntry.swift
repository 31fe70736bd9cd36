internal import FlaskPrimitives
internal import Synchronization

/// A listener that is to be told, and where the member lies, if it is known to differ.
struct MemberNotification {
  let hearer: MemberListener
  var member: (old: UnsafeRawPointer, new: UnsafeRawPointer)?
}

/// A listener of a member, of whatever type: not a part of `MemberEntry`, so that lists of them are compiled once. An
/// object, so that naming it to who tells it counts one reference.
final class MemberListener {
  let listener: Listener
  /// What the listener does, with the member itself in place of the states, for one that is called while the commit is
  /// told: it need not look for the member again.
  let told: MemberHandler?
  let news: MemberEvent
  /// By which listeners of several members are told in the order in which they were made.
  let serial: Int
  /// The operation that was told last when it was added: it is told of later ones.
  let epoch: Int
  /// Called when the member has gone, after everybody has been told.
  let ended: (@Sendable () -> Void)?

  init(
    _ listener: Listener,
    _ told: MemberHandler?,
    _ news: MemberEvent,
    epoch: Int,
    ended: (@Sendable () -> Void)?
  ) {
    self.listener = listener
    self.told = told
    self.news = news
    self.epoch = epoch
    self.ended = ended
    serial = Self.made.add(1, ordering: .relaxed).newValue
  }

  private static let made = Atomic<Int>(0)
}

/// What a hub knows of one member that a scope leads to.
///
/// It begins as `StartingState` does: it is in the index first, then a state is pinned. Commits that are told before,
/// and those that are a part of that state, do not concern it.
///
/// `@unchecked Sendable`: what `values` points to is touched under the lock, but for the value that is not the last
/// one, which is the performer's; it is freed when nobody holds the entry. The rest is constant, atomic, or behind the
/// lock.
final class MemberEntry<M: Membership>: MemberNode, @unchecked Sendable {
  let membership: M
  /// The last value that was committed, and room for the next. Beside the state, and not in it, so that the type of
  /// that is no generic one, which would be looked up at run time for each commit.
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

  /// The last value that was committed, for readers who do not find the member.
  var lastMember: M.Member { state.withLock { (values + $0.last).pointee } }

  /// Whether it was there after the last commit that concerned it.
  var isThere: Bool { state.withLock { $0.isThere } }

  /// Pins the state that it begins with.
  func begin(_ pin: () -> StateBox) -> StateBox {
    state.withLock { state in
      let box = pin()
      state.first = box.number
      return box
    }
  }

  /// Takes over what is in the state that it begins with, unless it has been told of a commit since.
  func setFirst(_ found: Found<M.Member>?) {
    state.withLockReleasing { state -> M.Member? in
      if state.isTold { return nil }
      state.isThere = found != nil
      guard let found else { return nil }
      follow(to: found.place)
      let old = (values + state.last).move()
      (values + state.last).initialize(to: found.member)
      return old
    }
  }

  /// Takes over what a commit made of the member, and adds who is to be told, and who has been told the last time. By
  /// the performer.
  func take(
    _ change: MemberChange<M>,
    of number: Int,
    telling told: inout [MemberNotification],
    ended: inout [MemberListener]
  ) {
    guard let value = change.new ?? change.old else { return }
    let (isThere, isFlip) = (change.new != nil, (change.old == nil) != (change.new == nil))
    let old = state.withLock { state -> Int? in
      if let first = state.first {
        if number <= first { return nil }
        (state.isTold, state.isThere) = (true, isThere)
        for hearer in state.hearers where hearer.news == .everything || (hearer.news == .presence) == isFlip {
          told.append(MemberNotification(hearer: hearer, member: change.lentMembers))
        }
        if !isThere {
          ended += state.hearers.filter { $0.news == .content }
          state.hearers.removeAll { $0.news == .content }
        }
      }
      defer { state.last = 1 - state.last }
      (values + 1 - state.last).initialize(to: value.pointee)
      return state.last
    }
    // What was there before is let go of with no lock held.
    if let old { (values + old).deinitialize(count: 1) }
  }

  // MARK: Who listens

  func add(
    _ listener: Listener,
    _ told: MemberHandler?,
    _ news: MemberEvent,
    epoch: Int,
    ended: (@Sendable () -> Void)?
  ) {
    let hearer = MemberListener(listener, told, news, epoch: epoch, ended: ended)
    state.withLock { $0.hearers.append(hearer) }
  }

  func remove(_ listener: Listener) {
    state.withLockReleasing { state -> MemberListener? in
      guard let index = state.hearers.firstIndex(where: { $0.listener === listener }) else { return nil }
      return state.hearers.remove(at: index)
    }
  }
}

/// What a `MemberEntry` guards.
private struct MemberEntryState {
  var hearers: [MemberListener] = []
  /// The number of the state that the entry began with, once that is known.
  var first: Int?
  /// Whether the last value comes from a commit since.
  var isTold = false
  var isThere = true
  /// Which of the two values is the last one.
  var last = 0
}

extension MemberChange {
  /// Where the member lies, if it was there and is, and stays there while the commit is told.
  fileprivate var lentMembers: (old: UnsafeRawPointer, new: UnsafeRawPointer)? {
    guard isLent, let old, let new else { return nil }
    return (UnsafeRawPointer(old), UnsafeRawPointer(new))
  }
}
