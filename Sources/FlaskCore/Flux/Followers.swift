@_spi(FlaskInternals) internal import FlaskArchive
@_spi(FlaskInternals) internal import FlaskDiff

/// A value that follows from the states of substances, and has to be ready before anybody is told of a commit.
protocol CommitFollower: AnyObject, Sendable {
  /// The flux that tells its observers.
  var flux: Flux { get }
  /// In the order in which they were made.
  var serial: Int { get }
  /// Whether anybody is to be told of changes.
  var isLive: Bool { get }
  /// Sees to it that the value before the operation in progress is known. By the performer.
  func prepare()
  /// Computes the value after the operation in progress, from the drafts. Returns the participant to be committed with
  /// it, if the value is another one. By the performer.
  func refresh(at moment: Moment) -> Participant?
  /// Has its own flux look for changes. Called by the performer of another one.
  func refreshLater()
}

/// What follows from one substance; and when its keys changed last, by the versions of its state.
///
/// `@unchecked Sendable`: touched under `lock` only.
final class Followers: @unchecked Sendable {
  /// One for all: it is held for a few instructions, and nothing is allocated for it.
  private static let lock = Lock(())

  private var all: [any CommitFollower] = []
  /// The versions that the lists are about: from the first to the last, without a gap.
  private var first = 0
  private var last = 0
  /// For each key the version with which it changed last.
  private var keys: [Int]

  private init(keyCount: Int) { keys = Array(repeating: 0, count: keyCount) }

  static func add(_ follower: any CommitFollower, to participant: Participant) {
    lock.withLock { _ in
      let followers = participant.followers ?? Followers(keyCount: participant.layout.keyCount)
      participant.followers = followers
      if !followers.all.contains(where: { $0 === follower }) { followers.all.append(follower) }
      participant.setNotice(Participant.Notice.derived, true)
    }
  }

  static func remove(_ follower: any CommitFollower, from participant: Participant) {
    lock.withLock { _ in
      guard let followers = participant.followers else { return }
      followers.all.removeAll { $0 === follower }
      if !followers.all.isEmpty { return }
      participant.followers = nil
      participant.setNotice(Participant.Notice.derived, false)
    }
  }

  /// Whether nothing of what was read has changed since, until another version. False if that is not known.
  static func isUnchanged(_ read: ReadLog.Read, of participant: Participant, until version: Int) -> Bool {
    lock.withLock { _ in
      guard !read.isWhole, let followers = participant.followers, followers.first <= read.version + 1,
        followers.last >= version, version > read.version
      else { return false }
      var keys = read.keys
      while keys != 0 {
        if followers.keys[keys.trailingZeroBitCount] > read.version { return false }
        keys &= keys &- 1
      }
      return !read.more.contains { followers.keys[$0] > read.version }
    }
  }

  /// Notes what the drafts of some participants change; returns those to be told of it, in the order in which they were
  /// made. By the performer.
  static func willPublish(_ participants: [Participant]) -> [any CommitFollower] {
    // Released after the lock.
    let all = lock.withLock { _ in
      var all: [any CommitFollower] = []
      for participant in participants {
        guard let followers = participant.followers else { continue }
        followers.note(participant)
        if all.isEmpty {
          all = followers.all
        } else {
          for follower in followers.all where !all.contains(where: { $0 === follower }) {
            all.append(follower)
          }
        }
      }
      return all
    }
    let live = all.filter { $0.isLive }
    return live.count < 2 ? live : live.sorted { $0.serial < $1.serial }
  }

  /// Under the lock.
  private func note(_ participant: Participant) {
    let version = participant.committedVersion &+ 1
    if last &+ 1 != version {
      first = version
      for key in keys.indices { keys[key] = 0 }
    }
    last = version
    participant.changes.pointee.forEachKey { keys[$0] = version }
  }
}
