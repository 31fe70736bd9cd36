@_spi(FlaskInternals) internal import FlaskArchive
@_spi(FlaskInternals) internal import FlaskDiff
internal import Synchronization

/// States of several substances at one moment: what is read inside of `perform` is read from it.
///
/// A state that is read is pinned, and stays as it is until the end. States of one flux are of one moment if all of
/// them are still committed when another one is added; if not, everything is done again, with all of them pinned
/// together.
///
/// `@unchecked Sendable`: touched by `thread` alone, which each function checks; tasks that are made meanwhile inherit
/// a reference, and read what is committed.
final class Moment: @unchecked Sendable {
  typealias Pinned = (cell: StateCell, box: StateBox)

  /// That of the running code, if any.
  @TaskLocal private static var local: Moment?
  /// How many there are. Nobody has to look for one while there is none (fast path).
  private static let count = Atomic<Int>(0)

  /// Behind a pointer, since each access to a stored variable of a class costs a dynamic check.
  private struct Memory {
    var pinned: [Pinned] = []
    /// Where those beyond the first few are found.
    var places: [ObjectIdentifier: Int] = [:]
    var isTorn = false
    /// Who wants to know what is read.
    var log: ReadLog?
    /// What is being computed.
    var computed: [AnyObject] = []
    /// What has been computed, or found to be good, by those who would have to ask others to find out.
    var known: [ObjectIdentifier: (owner: AnyObject, box: StateBox)] = [:]
  }

  private let thread = ThreadIdentity.current
  private let memory: UnsafeMutablePointer<Memory>
  /// In an operation that is about to be committed: its cells, of which the drafts are read. Nobody but this thread
  /// commits anything then, so that no other state has to be kept as it is.
  private let drafts: [StateCell]

  private init(drafts: [StateCell] = []) {
    self.drafts = drafts
    memory = .allocate(capacity: 1)
    memory.initialize(to: Memory())
    Moment.count.add(1, ordering: .relaxed)
  }

  deinit {
    Moment.count.subtract(1, ordering: .relaxed)
    memory.deinitialize(count: 1)
    memory.deallocate()
  }

  /// Whether any code reads from a moment.
  @inline(__always)
  static var areAny: Bool { count.load(ordering: .relaxed) != 0 }

  /// That of the running code.
  static var current: Moment? {
    guard areAny, let local, local.thread == ThreadIdentity.current else { return nil }
    return local
  }

  /// Calls `body`, again if need be, until everything that it has read was committed at one moment. Inside another
  /// moment it reads from that.
  ///
  /// What it reads in a call whose result is thrown away may be of two moments.
  static func perform<Result>(_ body: (Moment) -> Result) -> Result {
    if let current { return body(current) }
    var cells: [StateCell] = []
    while true {
      let moment = Moment()
      moment.pin(cells)
      defer { moment.unpin() }
      let result = Moment.$local.withValue(moment) { body(moment) }
      if !moment.memory.pointee.isTorn { return result }
      cells = moment.memory.pointee.pinned.map(\.cell)
    }
  }

  /// Calls `body`, which reads the drafts of some cells and the committed states of all others. By the performer, who
  /// has reduced those drafts and not published them.
  static func performOnDrafts<Result>(of cells: [StateCell], _ body: (Moment) -> Result) -> Result {
    let moment = Moment(drafts: cells)
    return Moment.$local.withValue(moment) { body(moment) }
  }

  // MARK: What is computed

  /// False if something is being computed already, at some depth.
  func begin(_ something: AnyObject) -> Bool {
    if memory.pointee.computed.contains(where: { $0 === something }) { return false }
    memory.pointee.computed.append(something)
    return true
  }

  /// Ends what was begun last.
  func end() { memory.pointee.computed.removeLast() }

  /// The value of something that was computed at this moment before.
  func known(of something: AnyObject) -> StateBox? {
    memory.pointee.known.isEmpty ? nil : memory.pointee.known[ObjectIdentifier(something)]?.box
  }

  /// Remembers the value of something, which this holds so that its identity stays its own.
  func remember(_ box: StateBox, of something: AnyObject) {
    memory.pointee.known[ObjectIdentifier(something)] = (something, box)
  }

  /// Calls `body`, and notes down in `log` what it reads itself.
  func logging<Result>(in log: ReadLog, _ body: () -> Result) -> Result {
    let outer = memory.pointee.log
    memory.pointee.log = log
    defer { memory.pointee.log = outer }
    return body()
  }

  /// What notes down what is read now, if anything does.
  var log: ReadLog? { memory.pointee.log }

  // MARK: Reading

  /// The state of a cell at this moment. It is pinned once more: the caller unpins it.
  func state(of cell: StateCell) -> StateBox {
    if !drafts.isEmpty {
      guard isDraft(cell) else { return cell.pinCommitted() }
      let box = cell.draftBox
      box.pin()
      return box
    }
    if let box = pinnedState(of: cell) {
      box.pin()
      return box
    }
    let (box, isTogether) = cell.pinCommitted(besides: memory.pointee.pinned)
    if !isTogether { memory.pointee.isTorn = true }
    keep((cell, box))
    box.pin()
    return box
  }

  /// The version of the state of a cell at this moment; of a draft, the one that it is going to have.
  func version(of cell: StateCell) -> Int {
    if !drafts.isEmpty {
      return cell.committedVersion &+ (isDraft(cell) && cell.changes.pointee.hasDirty ? 1 : 0)
    }
    let box = state(of: cell)
    defer { box.unpin() }
    return box.number
  }

  private func isDraft(_ cell: StateCell) -> Bool { drafts.contains { $0 === cell } }

  private func pinnedState(of cell: StateCell) -> StateBox? {
    if memory.pointee.pinned.count <= 8 { return memory.pointee.pinned.first { $0.cell === cell }?.box }
    return memory.pointee.places[ObjectIdentifier(cell)].map { memory.pointee.pinned[$0].box }
  }

  private func keep(_ new: Pinned) {
    memory.pointee.pinned.append(new)
    let count = memory.pointee.pinned.count
    if count < 9 { return }
    if count == 9 {
      for (place, pinned) in memory.pointee.pinned.enumerated() {
        memory.pointee.places[ObjectIdentifier(pinned.cell)] = place
      }
    } else {
      memory.pointee.places[ObjectIdentifier(new.cell)] = count - 1
    }
  }

  /// Pins the states of some cells, those of each flux at one moment.
  private func pin(_ cells: [StateCell]) {
    var rest = cells
    while let first = rest.first {
      let together = rest.filter { $0.isOfSameFlux(as: first) }
      rest.removeAll { $0.isOfSameFlux(as: first) }
      for (cell, box) in first.pinCommittedTogether(with: together) { keep((cell, box)) }
    }
  }

  private func unpin() {
    for (_, box) in memory.pointee.pinned { box.unpin() }
    memory.pointee.pinned = []
  }
}

/// What a piece of code has read. Touched by the thread that runs it.
final class ReadLog {
  /// What was read of each cell.
  private(set) var reads: [Read] = []
  /// Other things that were read, which know themselves when they change.
  private(set) var sources: [AnyObject] = []

  /// Some keys of one cell.
  struct Read {
    let cell: StateCell
    /// The first 64 keys, the lowest in the lowest bit, and those beyond.
    var keys: UInt64 = 0
    var more: [Int] = []
    var isWhole = false
    /// Of the state that was read.
    var version = 0

    /// Whether any of the keys is among those that differ between the draft of the cell and its state.
    var isInDraft: Bool {
      let changes = cell.changes
      return isWhole
        ? changes.pointee.hasDirty
        : changes.pointee.firstWord & keys != 0 || more.contains { changes.pointee.contains($0) }
    }
  }

  /// Notes that a key was read, or with -1 the whole state.
  func note(_ key: Int, of cell: StateCell) {
    var place = reads.count
    while place > 0, reads[place - 1].cell !== cell { place -= 1 }
    if place == 0 {
      reads.append(Read(cell: cell))
      place = reads.count
    }
    if key < 0 {
      reads[place - 1].isWhole = true
    } else if key < 64 {
      reads[place - 1].keys |= 1 &<< UInt64(key)
    } else if !reads[place - 1].more.contains(key) {
      reads[place - 1].more.append(key)
    }
  }

  init() { reads.reserveCapacity(4) }

  func note(_ source: AnyObject) { if !sources.contains(where: { $0 === source }) { sources.append(source) } }

  /// What was read, with the versions of a moment.
  func reads(at moment: Moment) -> [Read] {
    for place in reads.indices { reads[place].version = moment.version(of: reads[place].cell) }
    return reads
  }
}

extension StateCell {
  /// Where closures write while an operation is in progress. By the performer.
  final var draftBox: StateBox { memory.pointee.facts.pointee.new.takeUnretainedValue() }

  /// The state to be read by the running code, pinned: the caller unpins it.
  @inline(__always)
  final func pinForReading() -> StateBox { Moment.areAny ? pinAtMoment() : pinCommitted() }

  @inline(never)
  private final func pinAtMoment() -> StateBox { Moment.current?.state(of: self) ?? pinCommitted() }

  /// Makes the draft what is in a box, and finds what that changes. By the performer.
  final func draftState(in box: StateBox) {
    open()
    _ = layout.copyDifferences(from: box.address, to: draft)
    reduce()
  }

  final func isOfSameFlux(as other: StateCell) -> Bool { snapshots === other.snapshots }

  /// The last committed state, pinned; and whether the states of others of its flux are still committed, so that it is
  /// of the same moment.
  fileprivate final func pinCommitted(besides others: [Moment.Pinned]) -> (StateBox, isTogether: Bool) {
    snapshots.withLock { _ in
      let box = pinCommittedUnderLock()
      return (box, others.allSatisfy { !$0.cell.isOfSameFlux(as: self) || $0.cell.isCommitted($0.box) })
    }
  }

  /// The last committed states of cells of the same flux as this one, pinned at one moment.
  fileprivate final func pinCommittedTogether(with cells: [StateCell]) -> [(StateCell, StateBox)] {
    snapshots.withLock { _ in
      // A single mix publishes without the lock: all of them are of one moment if none has changed meanwhile.
      while true {
        let pinned = cells.map { ($0, $0.pinCommittedUnderLock()) }
        if pinned.allSatisfy({ $0.isCommitted($1) }) { return pinned }
        for (_, box) in pinned { box.unpin() }
      }
    }
  }
}
