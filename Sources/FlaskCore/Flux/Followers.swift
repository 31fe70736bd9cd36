@_spi(FlaskInternals) internal import FlaskArchive
internal import FlaskDiff
internal import Synchronization

/// What an operation in progress is to a follower.
enum Concern {
  /// Nothing that it follows from changes.
  case none
  /// Nobody is to be told of changes.
  case unheard
  /// Its value may be another one after the operation, and somebody is to be told.
  case value
}

/// A value that follows from the states of substances, and has to be ready before anybody is told of a commit.
///
/// A class, so that the performer can walk a list of them without counting references.
///
/// `@unchecked Sendable`: what is here is constant, and its one subclass says how it guards the rest.
class CommitFollower: @unchecked Sendable {
  /// The flux that tells its observers.
  final let flux: Flux
  /// In the order in which they were made.
  final let serial: Int
  private static let made = Atomic<Int>(0)

  init(flux: Flux) {
    self.flux = flux
    serial = CommitFollower.made.add(1, ordering: .relaxed).newValue
  }

  /// Sees to it that the value before the operation in progress is known, if the operation concerns it. By the
  /// performer.
  ///
  /// - Parameter moment: knows the drafts of the operation, and is not the current one yet.
  func prepare(for moment: Moment) -> Concern { .none }

  /// Computes the value after the operation in progress, from the drafts. Returns the participant to be committed with
  /// it, if the value is another one. By the performer.
  func refresh(at moment: Moment) -> Participant? { nil }

  /// Has its own flux look for changes. Called by the performer of another one.
  func refreshLater() {}

  /// Asked again, after the operation in progress has been published: sees to it that the value before it is known, if
  /// somebody is to be told of changes by now; else false. By the performer.
  ///
  /// - Parameter moment: the one before the operation. It is the current one.
  func prepareLate(at moment: Moment) -> Bool { false }

  /// Computes the present value. Returns the participant to be committed, if the value is another one than the one that
  /// was told last. By the performer of its own flux.
  func refreshNow() -> Participant? { nil }
}

/// What follows from one substance; and when its keys changed last, by the versions of its state.
///
/// `@unchecked Sendable`: touched under `lock` only.
final class Followers: @unchecked Sendable {
  /// One for all: it is held for a few instructions, and nothing is allocated for it.
  private static let lock = Lock(())
  /// How often somebody was added to any list. Raised before, in the order that all threads agree on: either who
  /// follows from now on finds that what it has read is not the state any more, or the performer finds another number
  /// after it has published.
  private static let added = Atomic<Int>(0)
  static var additions: Int { added.load(ordering: .sequentiallyConsistent) }

  /// Behind a pointer, since each access to a stored variable of a class costs a dynamic check.
  private struct Memory {
    /// In the order in which they were made.
    var all: [CommitFollower] = []
    /// The versions that the lists are about: from the first to the last, without a gap.
    var first = 0
    var last = 0
    /// For each key the version with which it changed last.
    var keys: [Int]
  }

  private let memory: UnsafeMutablePointer<Memory>

  private init(keyCount: Int) {
    memory = .allocate(capacity: 1)
    memory.initialize(to: Memory(keys: Array(repeating: 0, count: keyCount)))
  }

  deinit {
    memory.deinitialize(count: 1)
    memory.deallocate()
  }

  static func add(_ follower: CommitFollower, to participant: Participant) {
    lock.withLock { _ in
      let followers = participant.followers ?? Followers(keyCount: participant.layout.keyCount)
      participant.followers = followers
      let place = followers.place(of: follower)
      if !followers.has(follower, at: place) {
        added.add(1, ordering: .sequentiallyConsistent)
        followers.memory.pointee.all.insert(follower, at: place)
      }
      participant.setNotice(Participant.Notice.derived, true)
    }
  }

  static func remove(_ follower: CommitFollower, from participant: Participant) {
    lock.withLock { _ in
      guard let followers = participant.followers else { return }
      let place = followers.place(of: follower)
      if followers.has(follower, at: place) { followers.memory.pointee.all.remove(at: place) }
      if !followers.memory.pointee.all.isEmpty { return }
      participant.followers = nil
      participant.setNotice(Participant.Notice.derived, false)
    }
  }

  /// Where in the list a follower is, or is to be put. Under the lock.
  private func place(of follower: CommitFollower) -> Int {
    var (low, high) = (0, memory.pointee.all.count)
    while low < high {
      let middle = (low + high) / 2
      if memory.pointee.all[middle].serial < follower.serial { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func has(_ follower: CommitFollower, at place: Int) -> Bool {
    place < memory.pointee.all.count && memory.pointee.all[place] === follower
  }

  /// Whether nothing of what was read has changed from one version to another. False if that is not known.
  static func isUnchanged(
    _ read: UnsafePointer<CellRead>,
    of participant: Participant,
    from old: Int,
    until version: Int
  ) -> Bool {
    lock.withLock { _ in
      guard !read.pointee.isWhole, let followers = participant.followers,
        followers.memory.pointee.first <= old + 1,
        followers.memory.pointee.last >= version, version > old
      else { return false }
      var keys = read.pointee.keys
      while keys != 0 {
        if followers.memory.pointee.keys[keys.trailingZeroBitCount] > old { return false }
        keys &= keys &- 1
      }
      return !read.pointee.more.contains { followers.memory.pointee.keys[$0] > old }
    }
  }

  /// Notes what the draft of a participant changes, and adds those who follow from it to a list, which owns them, in
  /// the order in which they were made: also those that are in it already. By the performer.
  static func willPublish(_ participant: Participant, telling list: inout [Borrowed<CommitFollower>]) {
    lock.withLock { _ in
      guard let followers = participant.followers else { return }
      followers.note(participant)
      for follower in followers.memory.pointee.all { list.append(.owned(follower)) }
    }
  }

  /// Adds those who follow from a participant to a list, which owns them: also those that are in it already.
  static func add(of participant: Participant, to list: inout [Borrowed<CommitFollower>]) {
    lock.withLock { _ in
      for follower in participant.followers?.memory.pointee.all ?? [] { list.append(.owned(follower)) }
    }
  }

  /// Under the lock.
  private func note(_ participant: Participant) {
    let version = participant.committedVersion &+ 1
    if memory.pointee.last &+ 1 != version {
      memory.pointee.first = version
      for key in memory.pointee.keys.indices { memory.pointee.keys[key] = 0 }
    }
    memory.pointee.last = version
    // Word by word, since a method of the set would be handed a copy of it.
    let changes = participant.changes
    var keys = changes.pointee.firstWord
    while keys != 0 {
      memory.pointee.keys[keys.trailingZeroBitCount] = version
      keys &= keys &- 1
    }
    if changes.pointee.isBeyondFirstWord {
      changes.pointee.forEachKey { memory.pointee.keys[$0] = version }
    }
  }
}
