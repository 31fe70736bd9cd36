@_spi(FlaskInternals) internal import FlaskArchive
@_spi(FlaskInternals) internal import FlaskDiff
internal import Synchronization

/// States of several substances at one moment: what is read inside of `perform` is read from it.
///
/// A state that is read is pinned, and stays as it is until the end. States of one flux are of one moment if all of them
/// are still committed when another one is added; if not, everything is done again, with all of them pinned together.
///
/// `@unchecked Sendable`: touched by `thread` alone, which each function checks; tasks that are made meanwhile inherit a
/// reference, and read what is committed.
final class Moment: @unchecked Sendable {
  /// That of the running code, if any.
  @TaskLocal private static var local: Moment?
  /// How many there are. Nobody has to look for one while there is none (fast path).
  private static let count = Atomic<Int>(0)

  private let thread = ThreadIdentity.current
  private var pinned: [ObjectIdentifier: (cell: StateCell, box: StateBox)] = [:]
  private var isTorn = false
  /// In an operation that is about to be committed: its cells, of which the drafts are read.
  private var drafts: Set<ObjectIdentifier>
  /// Who wants to know what is read, the innermost last.
  private var logs: [ReadLog] = []
  /// What is being computed.
  private var computed: Set<ObjectIdentifier> = []

  private init(drafts: Set<ObjectIdentifier> = []) {
    self.drafts = drafts
    Moment.count.add(1, ordering: .relaxed)
  }

  deinit { Moment.count.subtract(1, ordering: .relaxed) }

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
  static func perform<Result>(_ body: () -> Result) -> Result {
    if current != nil { return body() }
    var cells: [StateCell] = []
    while true {
      let moment = Moment()
      moment.pin(cells)
      defer { moment.unpin() }
      let result = Moment.$local.withValue(moment, operation: body)
      if !moment.isTorn { return result }
      cells = moment.pinned.values.map(\.cell)
    }
  }

  /// Calls `body`, which reads the drafts of some cells and the committed states of all others. By the performer, who
  /// has reduced those drafts and not published them.
  static func performOnDrafts<Result>(of cells: [StateCell], _ body: () -> Result) -> Result {
    let moment = Moment(drafts: Set(cells.map { ObjectIdentifier($0) }))
    defer { moment.unpin() }
    return Moment.$local.withValue(moment, operation: body)
  }

  /// From here on the draft of one more cell is read. By the performer.
  func addDraft(of cell: StateCell) { drafts.insert(ObjectIdentifier(cell)) }

  /// Whether drafts are read: an operation is about to be committed.
  var isOfDrafts: Bool { !drafts.isEmpty }

  // MARK: What is computed

  /// False if something is being computed already, at some depth.
  func begin(_ something: AnyObject) -> Bool { computed.insert(ObjectIdentifier(something)).inserted }

  func end(_ something: AnyObject) { computed.remove(ObjectIdentifier(something)) }

  // MARK: Reading

  /// Calls `body`, and notes down in `log` what it reads itself.
  func logging<Result>(in log: ReadLog, _ body: () throws -> Result) rethrows -> Result {
    logs.append(log)
    defer { logs.removeLast() }
    return try body()
  }

  /// What notes down what is read now, if anything does.
  var log: ReadLog? { logs.last }

  /// The state of a cell at this moment. It is pinned once more: the caller unpins it.
  func state(of cell: StateCell) -> StateBox {
    let key = ObjectIdentifier(cell)
    if drafts.contains(key) {
      let box = cell.draftBox
      box.pin()
      return box
    }
    if let (_, box) = pinned[key] {
      box.pin()
      return box
    }
    let (box, isTogether) = cell.pinCommitted(besides: pinned.values.lazy.map { $0 })
    if !isTogether { isTorn = true }
    pinned[key] = (cell, box)
    box.pin()
    return box
  }

  /// The version of the state of a cell at this moment; of a draft, the one that it is going to be.
  func version(of cell: StateCell) -> UInt64 {
    if drafts.contains(ObjectIdentifier(cell)) {
      let box = cell.pinCommitted()
      defer { box.unpin() }
      return box.version.load(ordering: .relaxed) &+ (cell.changes.pointee.hasDirty ? 1 : 0)
    }
    let box = state(of: cell)
    defer { box.unpin() }
    return box.version.load(ordering: .relaxed)
  }

  /// Pins the states of some cells, those of each flux at one moment.
  private func pin(_ cells: [StateCell]) {
    var rest = cells
    while let first = rest.first {
      for (cell, box) in first.pinCommittedTogether(with: rest) {
        pinned[ObjectIdentifier(cell)] = (cell, box)
        rest.removeAll { $0 === cell }
      }
    }
  }

  private func unpin() {
    for (_, box) in pinned.values { box.unpin() }
    pinned = [:]
  }
}

/// What a piece of code has read. Touched by the thread that runs it.
final class ReadLog {
  /// The keys that were read of each cell.
  private(set) var cells: [ObjectIdentifier: (cell: StateCell, keys: ChangeSet, isWhole: Bool)] = [:]
  /// Other things that were read, which know themselves when they change.
  private(set) var sources: [ObjectIdentifier: AnyObject] = [:]

  /// Notes that a key was read, or with -1 the whole state.
  func note(_ key: Int, of cell: StateCell) {
    let identifier = ObjectIdentifier(cell)
    var entry = cells[identifier] ?? (cell, ChangeSet(), false)
    if key < 0 { entry.isWhole = true } else { entry.keys.insert(key) }
    cells[identifier] = entry
  }

  func note(_ source: AnyObject) { sources[ObjectIdentifier(source)] = source }
}

extension StateCell {
  /// Where closures write while an operation is in progress. By the performer.
  final var draftBox: StateBox { memory.pointee.facts.pointee.new.takeUnretainedValue() }

  /// The state to be read by the running code, pinned: the caller unpins it.
  @inline(__always)
  final func pinForReading() -> StateBox { Moment.areAny ? pinAtMoment() : pinCommitted() }

  @inline(never)
  private final func pinAtMoment() -> StateBox { Moment.current?.state(of: self) ?? pinCommitted() }

  /// The last committed state, pinned; and whether the states of others of its flux are still committed, so that it is
  /// of the same moment.
  fileprivate final func pinCommitted(
    besides others: some Sequence<(cell: StateCell, box: StateBox)>
  ) -> (StateBox, isTogether: Bool) {
    snapshots.withLock { _ in
      let box = pinCommittedUnderLock()
      return (box, others.allSatisfy { $0.cell.snapshots !== snapshots || $0.cell.isCommitted($0.box) })
    }
  }

  /// The last committed states of those cells that are of the same flux as this one, pinned at one moment.
  fileprivate final func pinCommittedTogether(with cells: [StateCell]) -> [(StateCell, StateBox)] {
    let mine = cells.filter { $0.snapshots === snapshots }
    return snapshots.withLock { _ in
      // A single mix publishes without the lock: all of them are of one moment if none has changed meanwhile.
      while true {
        let pinned = mine.map { ($0, $0.pinCommittedUnderLock()) }
        if pinned.allSatisfy({ $0.isCommitted($1) }) { return pinned }
        for (_, box) in pinned { box.unpin() }
      }
    }
  }
}
