internal import Synchronization

/// What a closure reads, beside what it read the last time: most often that is the same, and nothing has to be
/// allocated to find that out.
///
/// Lives on the stack of the thread that runs the closure, for the length of `withLog(expecting:_:)`.
struct ReadLog: ~Copyable {
  /// What has been read of a substance or of a derived value that was read the last time, too. The inputs of that time
  /// hold it.
  struct Mark {
    fileprivate let object: Borrowed<AnyObject>
    /// The first 64 keys; or the number of the value.
    fileprivate var bits: UInt64 = 0
    /// Whether the whole state was read; or the value.
    fileprivate var isWhole = false
    /// Which substances the value depends on: see `ReadList.serial`.
    fileprivate var serial = 0
  }

  /// First those of substances, then those of derived values. First of all, since ThreadSanitizer takes a call of a
  /// mutating method for one that writes to what the first word points to.
  private let marks: UnsafeMutablePointer<Mark>
  /// Held by whoever has the log.
  private unowned(unsafe) let expected: Inputs
  private let substanceCount: Int
  private let count: Int
  /// Where the last one was found: what is read next is most often there, or in the place after it.
  private var place = 0
  /// What was not read the last time, and keys beyond the first 64.
  private var others: [KeysRead] = []
  private var otherSources: [(node: AnyDerivedNode, number: Int)] = []

  /// An empty log.
  ///
  /// - Parameters:
  ///   - expected: what is most likely to be read; held by the caller.
  ///   - marks: memory for as many as there are inputs, for as long as the log lives.
  init(expecting expected: Inputs, in marks: UnsafeMutablePointer<Mark>) {
    self.expected = expected
    self.marks = marks
    substanceCount = expected.own.count
    count = expected.count
    let reads = expected.own.reads
    for place in 0..<substanceCount {
      let object = Borrowed<AnyObject>(
        reference: .fromOpaque(reads[place].participant.reference.toOpaque())
      )
      (marks + place).initialize(to: Mark(object: object))
    }
    for place in substanceCount..<count {
      (marks + place).initialize(to: Mark(object: Borrowed(expected.sources[place - substanceCount])))
    }
  }

  /// Calls `body` with an empty log.
  ///
  /// - Parameter expected: what is most likely to be read.
  @inline(__always)
  static func withLog<Result>(
    expecting expected: Inputs,
    _ body: (UnsafeMutablePointer<ReadLog>) -> Result
  ) -> Result {
    withUnsafeTemporaryAllocation(of: Mark.self, capacity: max(1, expected.count)) { marks in
      withUnsafeTemporaryAllocation(of: ReadLog.self, capacity: 1) { memory in
        let log = memory.baseAddress.unsafelyUnwrapped
        log.initialize(to: ReadLog(expecting: expected, in: marks.baseAddress.unsafelyUnwrapped))
        defer { log.deinitialize(count: 1) }
        return body(log)
      }
    }
  }

  /// Notes that a key was read, or with -1 the whole state.
  mutating func note(_ key: Int, of participant: Participant) {
    guard key < 64, let place = place(of: participant, from: 0, until: substanceCount) else {
      return noteOther(key, of: participant)
    }
    if key < 0 { marks[place].isWhole = true } else { marks[place].bits |= 1 &<< UInt64(key) }
  }

  /// Notes that a value was read.
  mutating func note(_ node: AnyDerivedNode, _ value: NumberedBox) {
    guard let place = place(of: node, from: substanceCount, until: count) else {
      if !otherSources.contains(where: { $0.node === node }) { otherSources.append((node, value.number)) }
      return
    }
    marks[place].bits = UInt64(value.number)
    marks[place].serial = value.reads
    marks[place].isWhole = true
  }

  private mutating func place(of object: AnyObject, from first: Int, until end: Int) -> Int? {
    var next = place >= first && place < end ? place : first
    for _ in first..<end {
      if marks[next].object.isSame(as: object) {
        place = next
        return next
      }
      next += 1
      if next == end { next = first }
    }
    return nil
  }

  @inline(never)
  private mutating func noteOther(_ key: Int, of participant: Participant) {
    let known = others.lastIndex { $0.participant.isSame(as: participant) }
    if known == nil {
      // Held until the list is made that holds it.
      Borrowed(participant).retain()
      others.append(KeysRead(of: participant))
    }
    others[known ?? others.count - 1].note(key)
  }

  /// Whether exactly those keys and values were read that were expected, and the values depend on what they did.
  var isAsExpected: Bool {
    if !others.isEmpty || !otherSources.isEmpty { return false }
    for place in 0..<substanceCount {
      let read = expected.own.reads + place
      if marks[place].bits != read.pointee.keys || marks[place].isWhole != read.pointee.isWhole
        || !read.pointee.more.isEmpty
      {
        return false
      }
    }
    for place in substanceCount..<count {
      if !marks[place].isWhole || marks[place].serial != expected.serials[place - substanceCount] {
        return false
      }
    }
    return true
  }

  /// What was read: the inputs that were expected, or others.
  ///
  /// - Parameter node: what has read; it is no source of itself.
  mutating func inputs(of node: AnyDerivedNode) -> Inputs { isAsExpected ? expected : newInputs(of: node) }

  @inline(never)
  private mutating func newInputs(of node: AnyDerivedNode) -> Inputs {
    var reads: [KeysRead] = []
    for place in 0..<substanceCount where marks[place].bits != 0 || marks[place].isWhole {
      var read = expected.own.reads[place]
      (read.keys, read.more, read.isWhole) = (marks[place].bits, [], marks[place].isWhole)
      reads.append(read)
    }
    for other in others {
      if let place = reads.firstIndex(where: { $0.participant == other.participant }) {
        reads[place].formUnion(other)
      } else {
        reads.append(other)
      }
    }
    var sources: [(node: AnyDerivedNode, number: Int)] = []
    for place in substanceCount..<count where marks[place].isWhole {
      sources.append((expected.sources[place - substanceCount], Int(marks[place].bits)))
    }
    sources += otherSources
    sources.removeAll { $0.node === node }
    let new = Inputs(own: ReadList(reads), sources: sources.map(\.node))
    for (place, source) in sources.enumerated() {
      new.numbers[place].store(source.number, ordering: .relaxed)
    }
    for other in others { other.participant.release() }
    others = []
    return new
  }

  /// Has inputs that were expected know the values that were read. Under the node's lock.
  func setNumbers(of inputs: Inputs) {
    if inputs !== expected { return }
    for place in substanceCount..<count {
      inputs.numbers[place - substanceCount].store(Int(marks[place].bits), ordering: .relaxed)
    }
  }
}
