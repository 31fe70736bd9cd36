internal import FlaskPrimitives
internal import Synchronization

/// Which news of a member a listener is told.
enum MemberNews {
  /// That it changed while it was there. Ends when it goes.
  case content
  /// That it went or came.
  case presence
  /// All of it: a hub of what lies inside the member.
  case everything
}

/// Takes the addresses of a member before and after a commit.
typealias MemberHandler = (_ old: UnsafeRawPointer, _ new: UnsafeRawPointer) -> Void

/// A listener that is to be told, and where the member lies, if it is known to differ.
struct MemberTelling {
  let hearer: MemberHearer
  var member: (old: UnsafeRawPointer, new: UnsafeRawPointer)?
}

/// Those who are to be told. Most commits concern one, for whom no list is allocated.
struct MemberTellings {
  private(set) var first: MemberTelling?
  private var others: [MemberTelling] = []

  mutating func append(_ telling: MemberTelling) {
    if first == nil { first = telling } else { others.append(telling) }
  }

  /// All of them, in the order in which they began to listen, but for the case that there is one.
  var sorted: [MemberTelling]? {
    guard let first, !others.isEmpty else { return nil }
    return ([first] + others).sorted { $0.hearer.serial < $1.hearer.serial }
  }
}

/// A listener of a member, of whatever type: not a part of `MemberEntry`, so that lists of them are compiled once. An
/// object, so that naming it to who tells it counts one reference.
final class MemberHearer {
  let listener: Listener
  /// What the listener does, with the member itself in place of the states, for one that is called while the commit is
  /// told: it need not look for the member again.
  let told: MemberHandler?
  let news: MemberNews
  /// By which listeners of several members are told in the order in which they were made.
  let serial: Int
  /// The operation that was told last when it was added: it is told of later ones.
  let epoch: Int
  /// Called when the member has gone, after everybody has been told.
  let ended: (@Sendable () -> Void)?

  init(
    _ listener: Listener,
    _ told: MemberHandler?,
    _ news: MemberNews,
    epoch: Int,
    ended: (@Sendable () -> Void)?
  ) {
    self.listener = listener
    self.told = told
    self.news = news
    self.epoch = epoch
    self.ended = ended
    serial = MemberSerial.next()
  }
}

/// What a hub knows of one member that a scope leads to.
///
/// `@unchecked Sendable`: `placeAtLastCommit` and `isSettled` are touched by the performer of the flux alone, whose
/// queue hands them from one thread to the next; what `last` points to is touched under the lock only, and freed when
/// nobody holds the entry; the rest is constant, atomic, or behind the lock.
package final class MemberEntry<M: Membership>: @unchecked Sendable {
  let membership: M
  let number: Int
  /// The last value that was committed. Beside the state, and not in it, so that the type of that is no generic one,
  /// which would be looked up at run time for each commit.
  private let last: UnsafeMutablePointer<M.Member>
  /// Where it was after the last commit that the hub was told; `nil` if it was not there, or none has been told yet.
  private(set) var placeAtLastCommit: Int?
  /// Whether the hub has been told a commit since the entry was made.
  private(set) var isSettled = false
  private let state = Lock(MemberEntryState())
  private let lastPlace: Atomic<Int>
  private let earlierPlace = Atomic<Int>(-1)

  init(_ membership: M, number: Int, found: Found<M.Member>) {
    self.membership = membership
    self.number = number
    last = .allocate(capacity: 1)
    last.initialize(to: found.member)
    lastPlace = Atomic(found.place)
  }

  deinit {
    last.deinitialize(count: 1)
    last.deallocate()
  }

  /// Where the member may be. Of two places that are read while they change, neither need be right.
  var hint: PlaceHint {
    PlaceHint(last: lastPlace.load(ordering: .relaxed), earlier: earlierPlace.load(ordering: .relaxed))
  }

  /// The last value that was committed, for readers who do not find the member.
  var lastMember: M.Member { state.withLock { _ in last.pointee } }

  /// Takes over what was found when the entry could already be told of commits, unless it has been told of one.
  func setFirst(_ found: Found<M.Member>) {
    let old = state.withLock { state in
      state.isTold ? nil : exchangeLast(found.member)
    }
    withExtendedLifetime(old) {}
  }

  // MARK: By the performer

  /// Whether it was not there after the last commit that the hub was told.
  var isKnownToBeGone: Bool { isSettled && placeAtLastCommit == nil }

  /// Takes over where a commit has moved the member, which is as it was.
  func follow(to place: Int?) {
    placeAtLastCommit = place
    isSettled = true
    if let place, place != lastPlace.load(ordering: .relaxed) {
      earlierPlace.store(lastPlace.load(ordering: .relaxed), ordering: .relaxed)
      lastPlace.store(place, ordering: .relaxed)
    }
  }

  /// Takes over what a commit made of the member. Returns who is to be told, and who has been told the last time.
  func move(from old: Found<M.Member>?, to new: Found<M.Member>?, isChanged: Bool) -> (
    told: [MemberHearer], ended: [MemberHearer]
  ) {
    follow(to: new?.place)
    guard let value = (new ?? old)?.member else { return ([], []) }
    let isFlip = (old == nil) != (new == nil)
    let (told, ended, held) = state.withLock { state -> ([MemberHearer], [MemberHearer], M.Member) in
      let held = exchangeLast(value)
      state.isTold = true
      if !isFlip && !isChanged || state.hearers.isEmpty { return ([], [], held) }
      let told = state.hearers.filter { $0.news == .everything || ($0.news == .presence) == isFlip }
      if new != nil { return (told, [], held) }
      let ended = state.hearers.filter { $0.news == .content }
      state.hearers.removeAll { $0.news == .content }
      return (told, ended, held)
    }
    // What was there before is let go of with no lock held.
    withExtendedLifetime(held) {}
    return (told, ended)
  }

  /// Takes over what a commit made of a member of entities that was there and is, and adds who is to be told.
  func change(
    from old: UnsafePointer<M.Member>,
    to value: UnsafePointer<M.Member>,
    telling told: inout MemberTellings
  ) {
    follow(to: 0)
    let held = state.withLock { state -> M.Member in
      let held = exchangeLast(value.pointee)
      state.isTold = true
      for hearer in state.hearers where hearer.news != .presence {
        told.append(MemberTelling(hearer: hearer, member: (UnsafeRawPointer(old), UnsafeRawPointer(value))))
      }
      return held
    }
    // As in `move`.
    withExtendedLifetime(held) {}
  }

  /// Takes over another value. Under the lock; the caller lets go of what is returned without it.
  private func exchangeLast(_ member: M.Member) -> M.Member {
    let held = last.move()
    last.initialize(to: member)
    return held
  }

  // MARK: Who listens

  func add(
    _ listener: Listener,
    _ told: MemberHandler?,
    _ news: MemberNews,
    epoch: Int,
    ended: (@Sendable () -> Void)?
  ) {
    let hearer = MemberHearer(listener, told, news, epoch: epoch, ended: ended)
    state.withLock { $0.hearers.append(hearer) }
  }

  func remove(_ listener: Listener) {
    let old = state.withLock { state -> MemberHearer? in
      guard let index = state.hearers.firstIndex(where: { $0.listener === listener }) else { return nil }
      return state.hearers.remove(at: index)
    }
    withExtendedLifetime(old) {}
  }
}

/// What a `MemberEntry` guards.
private struct MemberEntryState {
  var hearers: [MemberHearer] = []
  /// Whether the last value comes from a commit that the hub was told.
  var isTold = false
}

/// Numbers the listeners of members.
private enum MemberSerial {
  private static let made = Atomic<Int>(0)

  static func next() -> Int { made.add(1, ordering: .relaxed).newValue }
}
