/// What a closure has read: keys of substances, and other derived values, each once and in the order of reading.
///
/// `@unchecked Sendable`: constant, in memory of its own so that it is walked without counting references; it holds
/// what was read.
final class Reads: @unchecked Sendable {
  /// A key of a substance, with -1 its whole state; or `source` of a node.
  struct Read {
    let object: Borrowed<AnyObject>
    let key: Int
  }

  /// What is in one, to be read without counting references.
  struct Facts {
    let trace: UnsafeMutablePointer<Read>
    let count: Int
    /// The keys that the closure itself has read, by substance.
    let own: UnsafePointer<KeysRead>
    let ownCount: Int
    /// Those that all of this depends on. Begins with the substances of `own`, in their order.
    let all: UnsafePointer<KeysRead>
    let allCount: Int
    let serial: Int
    let sourceCount: Int
    /// Of the lists of the sources that `all` is made of.
    let serials: UnsafeMutablePointer<Int>
  }

  static let source = -2
  static let none = Reads([], lists: [])

  let sources: [AnyDerivedNode]
  /// The keys that all of this depends on.
  let all: ReadList
  let facts: UnsafePointer<Facts>
  private let own: ReadList

  /// - Parameter lists: all that the sources depend on, in the order in which they were read.
  init(_ reads: [(object: AnyObject, key: Int)], lists: [ReadList]) {
    let memory = UnsafeMutablePointer<Read>.allocate(capacity: reads.count)
    var (own, places): ([KeysRead], [ObjectIdentifier: Int]) = ([], [:])
    var sources: [AnyDerivedNode] = []
    for (place, read) in reads.enumerated() {
      (memory + place).initialize(to: Read(object: Borrowed(read.object), key: read.key))
      if read.key == Reads.source {
        sources.append(unsafeDowncast(read.object, to: AnyDerivedNode.self))
        continue
      }
      let known = places[ObjectIdentifier(read.object)] ?? own.count
      if known == own.count {
        places[ObjectIdentifier(read.object)] = known
        // Cells are read by the substances that they belong to, which are participants.
        own.append(KeysRead(of: unsafeDowncast(read.object, to: Participant.self)))
      }
      own[known].note(read.key)
    }
    self.own = ReadList(own)
    self.sources = sources
    all = self.own.union(lists)
    let serials = UnsafeMutablePointer<Int>.allocate(capacity: lists.count)
    for (place, list) in lists.enumerated() { (serials + place).initialize(to: list.serial) }
    let facts = UnsafeMutablePointer<Facts>.allocate(capacity: 1)
    facts.initialize(
      to: Facts(
        trace: memory,
        count: reads.count,
        own: self.own.reads,
        ownCount: self.own.count,
        all: all.reads,
        allCount: all.count,
        serial: all.serial,
        sourceCount: sources.count,
        serials: serials
      )
    )
    self.facts = UnsafePointer(facts)
  }

  deinit {
    facts.pointee.trace.deallocate()
    facts.pointee.serials.deallocate()
    facts.deallocate()
  }

  /// The same read, of sources that depend on something else than before.
  func replacing(_ lists: [ReadList]) -> Reads {
    let trace = facts.pointee.trace
    return Reads((0..<facts.pointee.count).map { (trace[$0].object.object, trace[$0].key) }, lists: lists)
  }
}

/// What a closure reads, beside what it read the last time: most often that is the same, and nothing has to be
/// allocated to find that out.
///
/// Lives on the stack of the thread that runs the closure.
struct ReadLog: ~Copyable {
  /// Held by whoever has the log.
  private let expected: Borrowed<Reads>
  private let facts: UnsafePointer<Reads.Facts>
  /// How much of it has been read, in the same order.
  private var place = 0
  private var isOther = false
  /// All that was read, if it is something else.
  private var others: [(object: AnyObject, key: Int)] = []

  init(expecting expected: Borrowed<Reads>) {
    self.expected = expected
    facts = expected.use { $0.facts }
  }

  /// Notes that a key of a substance was read, or a derived value (`Reads.source`).
  ///
  /// - Returns: whether it is read for the first time.
  @inline(__always)
  mutating func note(_ key: Int, of object: AnyObject) -> Bool {
    if !isOther, place < facts.pointee.count {
      let read = facts.pointee.trace + place
      if read.pointee.key == key && read.pointee.object.isSame(as: object) {
        place += 1
        return true
      }
    }
    return noteOther(key, of: object)
  }

  @inline(never)
  private mutating func noteOther(_ key: Int, of object: AnyObject) -> Bool {
    if !isOther {
      let trace = facts.pointee.trace
      if (0..<place).contains(where: { trace[$0].key == key && trace[$0].object.isSame(as: object) }) {
        return false
      }
      others = beginning
      isOther = true
    } else if others.contains(where: { $0.key == key && $0.object === object }) {
      return false
    }
    others.append((object, key))
    return true
  }

  private var beginning: [(object: AnyObject, key: Int)] {
    (0..<place).map { (facts.pointee.trace[$0].object.object, facts.pointee.trace[$0].key) }
  }

  /// What was read: that which was expected, or something else.
  ///
  /// - Parameters:
  ///   - sources: the last ones of these are those of the values that were read, in their order.
  ///   - first: where they begin.
  /// - Returns: owned.
  func reads(_ sources: borrowing [DerivedRecord], from first: Int) -> Borrowed<Reads> {
    let (facts, count) = (facts, facts.pointee.sourceCount)
    let isExpected =
      !isOther && place == facts.pointee.count
      && (0..<count).allSatisfy { facts.pointee.serials[$0] == sources[first + $0].serial }
    if !isExpected {
      return .owned(
        Reads(isOther ? others : beginning, lists: (first..<sources.count).map { sources[$0].reads.all })
      )
    }
    expected.retain()
    return expected
  }
}
