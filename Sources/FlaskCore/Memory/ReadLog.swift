internal import FlaskDiff

/// Some keys of one cell that were read. The list that it is in holds the cell.
struct CellRead {
  let cell: Borrowed<StateCell>
  /// The first 64 keys, the lowest in the lowest bit, and those beyond.
  var keys: UInt64 = 0
  var more: [Int] = []
  var isWhole = false

  fileprivate mutating func note(_ key: Int) {
    if key < 0 {
      isWhole = true
    } else if key < 64 {
      keys |= 1 &<< UInt64(key)
    } else if !more.contains(key) {
      more.append(key)
    }
  }
}

extension StateCell {
  /// Whether any of some keys is among those that differ between the draft and the state.
  func isInDraft(_ read: UnsafePointer<CellRead>) -> Bool {
    let changes = changes
    if read.pointee.isWhole { return changes.pointee.hasDirty }
    if changes.pointee.firstWord & read.pointee.keys != 0 { return true }
    return !read.pointee.more.isEmpty && read.pointee.more.contains { changes.pointee.contains($0) }
  }
}

/// What a piece of code has read, each cell once. Constant, and walked without counting references.
///
/// `@unchecked Sendable`: written by `init` only; it holds the cells until `deinit`.
final class ReadList: @unchecked Sendable {
  static let none = ReadList([])

  let reads: UnsafePointer<CellRead>
  let count: Int

  init(_ reads: [CellRead]) {
    let memory = UnsafeMutablePointer<CellRead>.allocate(capacity: reads.count)
    for (place, read) in reads.enumerated() {
      read.cell.retain()
      (memory + place).initialize(to: read)
    }
    self.reads = UnsafePointer(memory)
    count = reads.count
  }

  deinit {
    let memory = UnsafeMutablePointer(mutating: reads)
    for place in 0..<count { memory[place].cell.release() }
    memory.deinitialize(count: count)
    memory.deallocate()
  }

  @inline(__always)
  func cell(at place: Int) -> Borrowed<StateCell> { reads[place].cell }

  /// Whether two lists are about the same cells.
  func isAboutTheSame(as other: ReadList) -> Bool {
    count == other.count && (0..<count).allSatisfy { cell(at: $0) == other.cell(at: $0) }
  }

  /// The versions that the cells have at a moment.
  func versions(at moment: Moment) -> [Int] {
    (0..<count).map { cell(at: $0).use { moment.version(of: $0) } }
  }
}

/// What a piece of code reads, beside what it read the last time: most often that is the same, and nothing has to be
/// allocated to find that out.
///
/// Lives on the stack of the thread that runs the code, for the length of `withLog(expecting:_:)`.
struct ReadLog {
  /// What has been read of a cell that was read the last time, too. The list of that time holds the cell.
  fileprivate struct Mark {
    let cell: Borrowed<StateCell>
    var keys: UInt64 = 0
    var isWhole = false
  }

  private let expected: Borrowed<ReadList>
  private let marks: UnsafeMutablePointer<Mark>
  private let markCount: Int
  /// Where the last one was found: what is read next is most often there, or in the place after it.
  private var place = 0
  /// What was not read the last time, and keys beyond the first 64; with their cells, to hold them.
  private var others: [(read: CellRead, cell: StateCell)]?
  /// Other things that were read, which know themselves when they change, each with the number of its value.
  private(set) var sources: [(source: AnyObject, number: Int)]?

  private init(_ expected: Borrowed<ReadList>, _ marks: UnsafeMutablePointer<Mark>, _ count: Int) {
    self.expected = expected
    self.marks = marks
    markCount = count
  }

  /// Calls `body` with an empty log.
  ///
  /// - Parameter expected: what is most likely to be read. Held by the caller.
  static func withLog<Result>(
    expecting expected: Borrowed<ReadList>,
    _ body: (UnsafeMutablePointer<ReadLog>) -> Result
  ) -> Result {
    let (reads, count) = expected.use { ($0.reads, $0.count) }
    return withUnsafeTemporaryAllocation(of: Mark.self, capacity: max(1, count)) { memory in
      let marks = memory.baseAddress.unsafelyUnwrapped
      for place in 0..<count { (marks + place).initialize(to: Mark(cell: reads[place].cell)) }
      var log = ReadLog(expected, marks, count)
      return withUnsafeMutablePointer(to: &log, body)
    }
  }

  /// Notes that a key was read, or with -1 the whole state.
  mutating func note(_ key: Int, of cell: StateCell) {
    guard key < 64, let place = place(of: cell) else { return noteOther(key, of: cell) }
    if key < 0 { marks[place].isWhole = true } else { marks[place].keys |= 1 &<< UInt64(key) }
  }

  private mutating func place(of cell: StateCell) -> Int? {
    var next = place
    for _ in 0..<markCount {
      if marks[next].cell.isSame(as: cell) {
        place = next
        return next
      }
      next += 1
      if next == markCount { next = 0 }
    }
    return nil
  }

  @inline(never)
  private mutating func noteOther(_ key: Int, of cell: StateCell) {
    var others = self.others.take() ?? []
    var place = others.count
    while place > 0, others[place - 1].cell !== cell { place -= 1 }
    if place == 0 {
      others.append((CellRead(cell: Borrowed(cell)), cell))
      place = others.count
    }
    others[place - 1].read.note(key)
    self.others = others
  }

  /// Notes that something was read that has a number for each of its values.
  mutating func note(_ source: AnyObject, _ number: Int) {
    if sources?.contains(where: { $0.source === source }) ?? false { return }
    var sources = self.sources.take() ?? []
    sources.append((source, number))
    self.sources = sources
  }

  /// Whether exactly those keys were read that were expected, and nothing else.
  var isAsExpected: Bool {
    guard others == nil, sources == nil else { return false }
    return expected.use { expected in
      for place in 0..<markCount {
        let read = expected.reads + place
        if marks[place].keys != read.pointee.keys || marks[place].isWhole != read.pointee.isWhole
          || !read.pointee.more.isEmpty
        {
          return false
        }
      }
      return true
    }
  }

  /// What was read of states.
  var reads: ReadList {
    var reads: [CellRead] = []
    for place in 0..<markCount where marks[place].keys != 0 || marks[place].isWhole {
      reads.append(CellRead(cell: marks[place].cell, keys: marks[place].keys, isWhole: marks[place].isWhole))
    }
    for (other, _) in others ?? [] {
      if let place = reads.firstIndex(where: { $0.cell == other.cell }) {
        reads[place].more = other.more
      } else {
        reads.append(other)
      }
    }
    return ReadList(reads)
  }
}
