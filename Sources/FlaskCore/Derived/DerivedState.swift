@_spi(FlaskInternals) internal import FlaskArchive

// What a derived value knows, under its lock.
extension AnyDerivedNode {
  struct State {
    /// The last value; with it what it was computed from.
    var box: StateBox?
    var number = 0
    var reads = ReadList.none
    /// Of the states that were read, in their order.
    var versions: [Int] = []
    var sources: [Source] = []
    /// Whether the box is one of the substance's.
    var isInPlace = false
    /// How often these were replaced, or the box was written to.
    var edition = 0
    /// Whether all that it was computed from has it as a follower.
    var isFollowing = false

    /// How many values there were.
    var count = 0
    /// The substances that hold it.
    var followed: [Participant] = []
    var isClosed = false
    /// What observers and trackers are told by, once there are any, and its participant.
    var substance: AnySubstance?
    var participant: Participant?
    /// The number of the value that the substance has.
    var told = 0
    /// Whether whoever listens has been told of that value, or of `before`, or has read it, and is to be told of the
    /// next one. Not so while nobody listens.
    var isKept = false
    /// What is to be told as the old value instead of the told one: changes before it were nobody's. Pinned.
    var before: NumberedBox?

    /// Whether somebody is to be told of changes.
    var isHeard: Bool {
      guard let participant else { return false }
      return !participant.listeners.isEmpty || participant.hasNotice(Participant.Notice.tracking)
    }

    /// Whether all that was read is still committed, in the same version. Versions only grow, so all of them were
    /// there together when the first was looked at.
    var isCurrent: Bool {
      if box == nil || !isFollowing || !sources.isEmpty { return false }
      for place in 0..<reads.count {
        if reads.cell(at: place).use({ $0.committedVersion }) != versions[place] { return false }
      }
      return true
    }

    /// Whether the value is of a later moment than one that was computed from some states.
    func isLater(than reads: ReadList, _ versions: [Int]) -> Bool {
      (0..<reads.count).contains { other in
        (0..<self.reads.count).contains {
          self.reads.cell(at: $0) == reads.cell(at: other) && self.versions[$0] > versions[other]
        }
      }
    }

    /// Returns what is not needed any more, to be released with no lock held.
    mutating func replace(
      _ box: StateBox?,
      _ number: Int,
      _ reads: ReadList,
      _ versions: [Int],
      _ sources: [Source],
      isFollowing: Bool = false
    ) -> Dropped {
      let old = Dropped(box: self.box, reads: self.reads, sources: self.sources)
      self.box = box
      self.number = number
      self.reads = reads
      self.versions = versions
      self.sources = sources
      self.isFollowing = isFollowing
      isInPlace = false
      edition += 1
      return old
    }
  }

  /// What a value was, to be released with no lock held.
  final class Dropped {
    private let box: StateBox?
    private let reads: ReadList
    private let sources: [Source]

    init(box: StateBox?, reads: ReadList, sources: [Source]) {
      self.box = box
      self.reads = reads
      self.sources = sources
    }
  }

  /// The last value, pinned, as it was when it was looked at.
  struct Last {
    let value: NumberedBox
    let reads: ReadList
    let versions: [Int]
    let sources: [Source]
    let edition: Int
    var isFollowing = true
  }
}
