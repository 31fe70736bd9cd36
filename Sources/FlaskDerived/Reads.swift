/// The reads of a derived value's closure: the keys of substances and the other derived values (sources) that it has
/// read. Each occurs once, in the order of reading.
///
/// `@unchecked Sendable`:
/// - Ownership: the object retains the sources. Its memory is not shared, and can therefore be walked without reference
///   counting.
/// - Invariant: constant.
/// - If violated: a read of freed memory.
final class Reads: @unchecked Sendable {
  /// One read of a substance or a node. `key` is the key, -1 for the whole state, or `source` for a node.
  struct Read {
    let object: UnretainedReference<AnyObject>
    let key: Int
  }

  static let source = -2
  static let none = Reads([], lists: [])

  let trace: UnsafeMutablePointer<Read>
  let count: Int
  let sources: [AnyDerivedNode]
  let sourceCount: Int
  /// For each source (another derived value that was read), the serial number of the list of keys on which it depended
  /// when `all` was formed.
  let serials: UnsafeMutablePointer<Int>
  /// All keys on which the value depends, directly or through sources. Begins with the substances of `own`, in their
  /// order.
  let all: ReadList
  /// The reads of the closure itself.
  private let own: ReadList
  // The contents of the lists.
  let (keys, keyCount, serial): (UnsafePointer<KeysRead>, Int, Int)
  let (ownKeys, ownCount): (UnsafePointer<KeysRead>, Int)

  /// - Parameter lists: the keys on which the sources depend, in the order in which the sources were read.
  init(_ reads: [(object: AnyObject, key: Int)], lists: [ReadList]) {
    trace = .allocate(capacity: reads.count)
    count = reads.count
    var (own, places): ([KeysRead], [ObjectIdentifier: Int]) = ([], [:])
    var sources: [AnyDerivedNode] = []
    for (place, read) in reads.enumerated() {
      (trace + place).initialize(to: Read(object: UnretainedReference(read.object), key: read.key))
      if read.key == Reads.source {
        sources.append(unsafeDowncast(read.object, to: AnyDerivedNode.self))
        continue
      }
      let known = places[ObjectIdentifier(read.object)] ?? own.count
      if known == own.count {
        places[ObjectIdentifier(read.object)] = known
        // The cast is safe: a read that is not of a derived value is of a cell.
        own.append(KeysRead(of: unsafeDowncast(read.object, to: Cell.self)))
      }
      own[known].insert(read.key)
    }
    self.sources = sources
    sourceCount = sources.count
    serials = .allocate(capacity: lists.count)
    for (place, list) in lists.enumerated() { (serials + place).initialize(to: list.serial) }
    self.own = ReadList(own)
    all = self.own.union(lists)
    keys = all.reads
    keyCount = all.count
    serial = all.serial
    ownKeys = self.own.reads
    ownCount = self.own.count
  }

  deinit {
    trace.deallocate()
    serials.deallocate()
  }

  /// A copy of these reads, for the case that the derived values among them now depend on other keys: those in `lists`.
  func replacing(_ lists: [ReadList]) -> Reads {
    Reads((0..<count).map { (trace[$0].object.object, trace[$0].key) }, lists: lists)
  }
}

/// Compares the reads of a closure with those of its last run. Most often they are equal, and finding this out
/// allocates nothing.
///
/// Lives on the stack of the thread that runs the closure.
struct ReadLog: ~Copyable {
  /// Retained by the owner of the log.
  private let expected: UnretainedReference<Reads>
  private let trace: UnsafeMutablePointer<Reads.Read>
  private let count: Int
  /// The number of reads of the closure's last run that this run has repeated so far, in the same order.
  private var place = 0
  private var isOther = false
  /// All reads of this run, if they differ from those of the last run; otherwise empty.
  private var others: [(object: AnyObject, key: Int)] = []
  /// The first reads of this run, as a set. Made when it is first needed, and then completed as reads are looked up: a
  /// closure may read thousands of keys.
  private var known: Set<Identity> = []

  private struct Identity: Hashable {
    let object: ObjectIdentifier
    let key: Int
  }

  init(expecting expected: UnretainedReference<Reads>) {
    self.expected = expected
    (trace, count) = expected.use { ($0.trace, $0.count) }
  }

  /// Records that a key of a substance was read, or a derived value (`Reads.source`).
  ///
  /// - Returns: whether the key, or the derived value, is read for the first time.
  @inline(__always)
  mutating func recordRead(of key: Int, in object: AnyObject) -> Bool {
    if !isOther, place < count {
      let read = trace + place
      if read.pointee.key == key && read.pointee.object.isSame(as: object) {
        place += 1
        return true
      }
    }
    return recordOther(key, in: object)
  }

  @inline(never)
  private mutating func recordOther(_ key: Int, in object: AnyObject) -> Bool {
    if isKnown(key, of: object) { return false }
    if !isOther {
      others = beginning
      isOther = true
    }
    others.append((object, key))
    return true
  }

  /// Whether this run has read a key before. Complexity: O(1), amortized.
  private mutating func isKnown(_ key: Int, of object: AnyObject) -> Bool {
    let readCount = isOther ? others.count : place
    if readCount <= 8 {
      return isOther
        ? others.contains { $0.key == key && $0.object === object }
        : (0..<readCount).contains { trace[$0].key == key && trace[$0].object.isSame(as: object) }
    }
    while known.count < readCount {
      let next = known.count
      let identity =
        isOther
        ? Identity(object: ObjectIdentifier(others[next].object), key: others[next].key)
        : Identity(object: ObjectIdentifier(trace[next].object.object), key: trace[next].key)
      known.insert(identity)
    }
    return known.contains(Identity(object: ObjectIdentifier(object), key: key))
  }

  /// All reads of this run, each once.
  var all: [(object: AnyObject, key: Int)] { isOther ? others : beginning }

  private var beginning: [(object: AnyObject, key: Int)] {
    (0..<place).map { (trace[$0].object.object, trace[$0].key) }
  }

  /// The reads of this run of the closure, which must not have read any derived value. The caller owns the returned
  /// object.
  var readsOfSubstances: UnretainedReference<Reads> {
    if isOther || place != count { return reads([], from: 0) }
    expected.retain()
    return expected
  }

  /// Returns the reads of this run: the expected object if it has equal reads, otherwise a new object.
  ///
  /// - Parameters:
  ///   - sources: records of derived values. From index `first` on, they are the records that this run has read, in the
  ///     order of reading.
  ///   - first: the index of the first record that this run has read.
  /// - Returns: owned.
  func reads(_ sources: borrowing [DerivedRecord], from first: Int) -> UnretainedReference<Reads> {
    let isExpected =
      !isOther && place == count
      && expected.use { expected in
        (0..<expected.sourceCount).allSatisfy { expected.serials[$0] == sources[first + $0].serial }
      }
    if !isExpected {
      return .owned(
        Reads(all, lists: (first..<sources.count).map { sources[$0].reads.all })
      )
    }
    expected.retain()
    return expected
  }
}
