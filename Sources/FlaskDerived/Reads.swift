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

  static let source = -2
  static let none = Reads([], lists: [])

  let trace: UnsafePointer<Read>
  let count: Int
  /// The keys that the closure itself has read.
  let own: ReadList
  let sources: [AnyDerivedNode]
  /// Of the lists of the sources that `all` is made of.
  let serials: [Int]
  /// The keys that all of this depends on. Begins with the substances of `own`, in their order.
  let all: ReadList

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
    trace = UnsafePointer(memory)
    count = reads.count
    self.own = ReadList(own)
    self.sources = sources
    serials = lists.map(\.serial)
    all = self.own.union(lists)
  }

  deinit { trace.deallocate() }

  /// The same read, of sources that depend on something else than before.
  func replacing(_ lists: [ReadList]) -> Reads {
    Reads((0..<count).map { (trace[$0].object.object, trace[$0].key) }, lists: lists)
  }
}

/// What a closure reads, beside what it read the last time: most often that is the same, and nothing has to be
/// allocated to find that out.
///
/// Lives on the stack of the thread that runs the closure.
struct ReadLog: ~Copyable {
  /// Held by whoever has the log.
  private unowned(unsafe) let expected: Reads
  /// How much of it has been read, in the same order.
  private var place = 0
  private var isOther = false
  /// All that was read, if it is something else.
  private var others: [(object: AnyObject, key: Int)] = []

  init(expecting expected: Reads) { self.expected = expected }

  /// Notes that a key of a substance was read, or a derived value (`Reads.source`).
  ///
  /// - Returns: whether it is read for the first time.
  @inline(__always)
  mutating func note(_ key: Int, of object: AnyObject) -> Bool {
    if !isOther, place < expected.count {
      let read = expected.trace + place
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
      let trace = expected.trace
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
    (0..<place).map { (expected.trace[$0].object.object, expected.trace[$0].key) }
  }

  /// What was read: that which was expected, or something else.
  ///
  /// - Parameter sources: of the values that were read, in their order.
  func reads(_ sources: ArraySlice<DerivedRecord>) -> Reads {
    if !isOther && place == expected.count
      && zip(expected.serials, sources).allSatisfy({ $0 == $1.reads.all.serial })
    {
      return expected
    }
    return Reads(isOther ? others : beginning, lists: sources.map { $0.reads.all })
  }
}
