internal import Synchronization

/// Some keys of one substance that were read. The list that it is in holds the substance's participant.
struct KeysRead {
  let participant: Borrowed<Participant>
  /// What knows when they have changed; it goes with the participant.
  let dependents: Borrowed<Dependents>
  /// The first 64 keys, the lowest in the lowest bit, and those beyond.
  var keys: UInt64 = 0
  var more: [Int] = []
  var isWhole = false

  init(of participant: Participant) {
    self.participant = Borrowed(participant)
    dependents = Borrowed(Dependents.of(participant))
  }

  mutating func note(_ key: Int) {
    if key < 0 {
      isWhole = true
    } else if key < 64 {
      keys |= 1 &<< UInt64(key)
    } else if !more.contains(key) {
      more.append(key)
    }
  }

  mutating func formUnion(_ other: KeysRead) {
    keys |= other.keys
    isWhole = isWhole || other.isWhole
    for key in other.more { note(key) }
  }

  /// Calls `body` with each key, or with -1 if the whole state was read.
  func forEachKey(_ body: (Int) -> Void) {
    if isWhole { return body(-1) }
    var rest = keys
    while rest != 0 {
      body(rest.trailingZeroBitCount)
      rest &= rest &- 1
    }
    more.forEach(body)
  }
}

/// Keys that were read, each substance once. While a list lives, its substances number the changes of their keys.
///
/// `@unchecked Sendable`: constant, in memory of its own so that it is walked without counting references; it holds the
/// participants until `deinit`.
final class ReadList: @unchecked Sendable {
  static let none = ReadList([])
  private static let made = Atomic<Int>(0)

  /// No other list has it, in the life of the process.
  let serial = ReadList.made.add(1, ordering: .relaxed).newValue
  let reads: UnsafePointer<KeysRead>
  let count: Int

  init(_ reads: [KeysRead]) {
    let memory = UnsafeMutablePointer<KeysRead>.allocate(capacity: reads.count)
    for (place, read) in reads.enumerated() {
      read.participant.retain()
      read.participant.use { $0.retainNotices() }
      (memory + place).initialize(to: read)
    }
    self.reads = UnsafePointer(memory)
    count = reads.count
  }

  deinit {
    let memory = UnsafeMutablePointer(mutating: reads)
    for place in 0..<count {
      memory[place].participant.use { $0.releaseNotices() }
      memory[place].participant.release()
    }
    memory.deinitialize(count: count)
    memory.deallocate()
  }

  @inline(__always)
  func participant(at place: Int) -> Borrowed<Participant> { reads[place].participant }

  /// This list and others as one, which begins with this one.
  func union(_ others: [ReadList]) -> ReadList {
    if others.allSatisfy({ $0.count == 0 || $0 === self }) { return self }
    if count == 0, let first = others.first, others.allSatisfy({ $0 === first }) { return first }
    return withExtendedLifetime(others) {
      var all = (0..<count).map { reads[$0] }
      var places: [UnsafeMutableRawPointer: Int] = [:]
      for (place, read) in all.enumerated() { places[read.participant.reference.toOpaque()] = place }
      for other in others {
        for place in 0..<other.count {
          let read = other.reads[place]
          if let known = places[read.participant.reference.toOpaque()] {
            all[known].formUnion(read)
          } else {
            places[read.participant.reference.toOpaque()] = all.count
            all.append(read)
          }
        }
      }
      return ReadList(all)
    }
  }
}

/// What a value was computed from: keys of substances, and other derived values; and which states and values of them.
///
/// `all` is what follows from both. So whether a value is still good takes one look at each substance, whatever lies
/// between; the other derived values are asked only if a key has changed that they have read.
///
/// `@unchecked Sendable`: `versions` is touched under the lock of the node that it belongs to; the rest is constant or
/// atomic.
final class Inputs: @unchecked Sendable {
  enum Verdict {
    case same
    /// Something has changed that the closure itself has read.
    case changed
    /// Something has changed that one of the other derived values has read.
    case inSources
  }

  static let none = Inputs(own: .none, sources: [])

  let own: ReadList
  let sources: [AnyDerivedNode]
  /// The keys that all of this depends on. Begins with the substances of `own`, in their order.
  let all: ReadList
  /// Of the states of the substances in `all`. Under the node's lock.
  private let versions: UnsafeMutablePointer<Int>
  /// How often they were compared with those of a moment. Under the node's lock.
  @exclusivity(unchecked) private(set) var checkCount = 0
  /// Those that the last `check` has found, in the memory after them.
  private var checked: UnsafeMutablePointer<Int> { versions + all.count }
  /// Of the values of the sources. Written under the node's lock; whoever reads them elsewhere finds out afterwards
  /// whether they were written meanwhile.
  let numbers: UnsafeMutablePointer<Atomic<Int>>
  /// For the log of who computes the value again while nobody else does.
  let marks: UnsafeMutablePointer<ReadLog.Mark>
  /// The serials of the lists that `all` is made of.
  let serials: [Int]

  init(own: ReadList, sources: [AnyDerivedNode]) {
    self.own = own
    self.sources = sources
    let lists = sources.map { $0.readsOfAll }
    serials = lists.map(\.serial)
    all = own.union(lists)
    versions = .allocate(capacity: 2 * all.count)
    versions.initialize(repeating: 0, count: 2 * all.count)
    numbers = .allocate(capacity: sources.count)
    for place in sources.indices { (numbers + place).initialize(to: Atomic(0)) }
    marks = .allocate(capacity: own.count + sources.count)
  }

  deinit {
    versions.deallocate()
    numbers.deinitialize(count: sources.count)
    numbers.deallocate()
    marks.deallocate()
  }

  /// Of the substances that the closure itself has read, and of the other values.
  var count: Int { own.count + sources.count }

  // MARK: Under the node's lock

  /// Whether all that was read is still committed, in the same version. Versions only grow, so all of them were there
  /// together when the first was looked at.
  var areCommitted: Bool {
    for place in 0..<all.count {
      if all.participant(at: place).use({ $0.committedVersion }) != versions[place] { return false }
    }
    return true
  }

  /// The same, for a node that has just been registered: either it finds a commit here, or the performer finds the
  /// node.
  ///
  /// - Parameter isExempt: asked of the substances that need not be looked at.
  func arePublished(except isExempt: (Participant) -> Bool = { _ in false }) -> Bool {
    (0..<all.count).allSatisfy { place in
      all.participant(at: place).use { isExempt($0) || $0.publishedVersion == versions[place] }
    }
  }

  /// Whether the value is that of a moment. If so, it is known to be from here on.
  func check(at moment: Moment) -> Verdict {
    checkCount &+= 1
    var isOther = false
    var verdict = Verdict.same
    for place in 0..<all.count {
      let version = all.participant(at: place).use { moment.version(of: $0) }
      checked[place] = version
      if version == versions[place] { continue }
      isOther = true
      // The moment may be the earlier one: an operation that changes nothing of what was read is counted in advance.
      let (first, second) = (min(versions[place], version), max(versions[place], version))
      if Dependents.isUnchanged(all.reads + place, from: first, until: second) { continue }
      if place < own.count, !Dependents.isUnchanged(own.reads + place, from: first, until: second) {
        verdict = .changed
      } else if verdict == .same {
        verdict = .inSources
      }
    }
    if isOther && verdict == .same { confirm(at: moment) }
    return verdict
  }

  /// The value is good at a moment, too, which may be an earlier one.
  func confirm(at moment: Moment) {
    for place in 0..<all.count {
      versions[place] = max(versions[place], all.participant(at: place).use { moment.version(of: $0) })
    }
  }

  func setVersions(at moment: Moment) {
    for place in 0..<all.count {
      versions[place] = all.participant(at: place).use { moment.version(of: $0) }
    }
  }

  /// The same at the moment of an earlier `check`, with the count that there was after it.
  @inline(__always)
  func setVersions(at moment: Moment, checkedAt count: Int) {
    if checkCount != count { return setVersions(at: moment) }
    versions.update(from: checked, count: all.count)
  }

  func takeVersions(of other: Inputs) {
    for place in 0..<all.count {
      for old in 0..<other.all.count where other.all.participant(at: old) == all.participant(at: place) {
        versions[place] = other.versions[old]
      }
    }
  }

  /// Whether any state is of a later moment than that which others are of.
  func isLater(than other: Inputs, at moment: Moment) -> Bool {
    for place in 0..<all.count {
      let participant = all.participant(at: place)
      let isShared =
        other === self || (0..<other.all.count).contains { other.all.participant(at: $0) == participant }
      if isShared, participant.use({ moment.version(of: $0) }) < versions[place] { return true }
    }
    return false
  }
}
