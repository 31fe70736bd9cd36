internal import FlaskPrimitives
/// A consistent read of several substances. The states of all substances of one flux were committed at the same moment.
/// States of different fluxes are consistent for each flux separately. Inside `perform` all reads get their states from
/// it.
///
/// Each state that is read is pinned: its memory is not reused or changed until the end of the consistent read. States
/// of one flux are consistent if all of them are still committed when a further state is pinned. Otherwise the read is
/// repeated with all of its states pinned together.
///
/// `@unchecked Sendable`:
/// - Isolation: the thread on which the consistent read is current. The consistent read of a flux belongs to the flux's
///   performer, and the flux's queue synchronizes the change of threads.
/// - Invariant: no variable is accessed twice at once, so the dynamic checks of exclusive access, each as expensive as
///   the access, are disabled.
/// - If violated: a data race.
final class ConsistentRead: StateReader, @unchecked Sendable {
  /// The lock of the flux whose operation is about to be committed; `nil` for other reads. In this flux, substances
  /// that the operation changes are read from their drafts, the others from their committed states. No other thread
  /// commits to them meanwhile, so these states need not be pinned.
  private let home: UnretainedReference<Lock<Void>>?
  private let current = CurrentReader()

  @exclusivity(unchecked) private var pinned: [Cell.Pinned] = []
  /// The index in `pinned` of each pinned state, by the cell (core) of its substance. Empty while at most 8 states are
  /// pinned, which are searched one by one.
  @exclusivity(unchecked) private var places: [ObjectIdentifier: Int] = [:]
  @exclusivity(unchecked) private var isTorn = false
  /// Whether the pinned states may be inconsistent.
  @exclusivity(unchecked) private var isInDoubt = false
  /// The cells whose drafts are read. The operation in progress retains their substances. Compared only.
  @exclusivity(unchecked) private var drafts: [UnretainedReference<Cell>] = []

  // The state of the computations in `ConsistentRead+Derived`.

  /// The list that records the reads of the running closure.
  @exclusivity(unchecked) var log: UnsafeMutablePointer<ReadLog>?
  /// The records of other derived values that the running, nested closures have read. The reads of the outermost
  /// closure come first, each closure's reads in their order.
  @exclusivity(unchecked) var read: [DerivedRecord] = []
  /// The derived values that are being computed in this read. One computes the next, so the outermost comes first.
  /// The caller that has each of them computed retains it. Compared only.
  @exclusivity(unchecked) var computing: [UnretainedReference<AnyDerivedNode>] = []
  /// The derived values that wait for a check of the derived values that they have read, the outermost first.
  @exclusivity(unchecked) var asking: [Asking] = []
  /// How many closures run.
  @exclusivity(unchecked) var depth = 0
  /// Results of derived values that this read has computed, but that are not stored in their nodes. Either a newer
  /// result is stored there, or the node is closed.
  @exclusivity(unchecked) var past: [ObjectIdentifier: (node: AnyDerivedNode, record: DerivedRecord)] = [:]

  /// The records that were replaced while a closure ran, retained until the end of this read. If they were released at
  /// once, a `deinit` of their values would run inside the closure, and its reads would be recorded as the closure's.
  @exclusivity(unchecked) var replaced: [DerivedRecord] = []

  /// - Parameter home: the lock `snapshotLock` of the flux whose operation is about to be committed; `nil` for other
  ///   reads. The caller must retain the lock.
  init(home: Lock<Void>? = nil) {
    self.home = home.map { UnretainedReference($0) }
    current.begin(self)
  }

  /// The consistent read of the running code.
  static var ofRunningCode: UnretainedReference<ConsistentRead>? {
    // The cast is safe: `ConsistentRead` is the only class that conforms to `StateReader`.
    CurrentReader.current.map {
      UnretainedReference(unsafeDowncast($0.use { $0.reader }, to: ConsistentRead.self))
    }
  }

  /// Calls `body`, repeatedly if necessary, until all of its reads were consistent. Inside another consistent read,
  /// `body` is called once, and uses that read.
  ///
  /// The reads of a call whose result is discarded may be inconsistent.
  static func perform<Result>(_ body: (ConsistentRead) -> Result) -> Result {
    if let current = ofRunningCode { return current.use(body) }
    let moment = ConsistentRead()
    defer { moment.end() }
    return moment.whole { body(moment) }
  }

  /// Calls `body` in this consistent read, repeatedly if necessary, until all of its reads were consistent. States may
  /// already be pinned before the call.
  func whole<Result>(_ body: () -> Result) -> Result {
    while true {
      let result = enter(body)
      if isInDoubt { checkPinnedStates() }
      if !isTorn { return result }
      pinTogether()
    }
  }

  /// Calls `body` with this consistent read as the current reader of the thread.
  func enter<Result>(_ body: () -> Result) -> Result { UnretainedReference(current).use { $0.perform(body) } }

  /// Ends this read: unpins all states and removes all drafts and records, so that the object can be used for another
  /// read.
  func end() {
    while drafts.popLast() != nil {}
    isTorn = false
    isInDoubt = false
    while replaced.popLast() != nil {}
    if pinned.isEmpty && past.isEmpty { return }
    withExtendedLifetime((unpinAll(), past)) { past = [:] }
  }

  // MARK: Drafts, by the performer

  /// From now on, reads of this substance (`cell`) return its draft, which the operation in progress is about to
  /// publish. The draft must already have been compared with the committed state.
  func addDraft(_ cell: Cell) {
    if !past.isEmpty { withExtendedLifetime(past) { past = [:] } }
    drafts.append(UnretainedReference(cell))
  }

  private func isDraft(_ cell: Cell) -> Bool {
    for draft in drafts where draft.isSame(as: cell) { return true }
    return false
  }

  @inline(__always)
  func isHome(_ cell: Cell) -> Bool { home?.isSame(as: cell.snapshotLock) ?? false }

  @inline(__always)
  func isHome(_ snapshotLock: UnretainedReference<Lock<Void>>) -> Bool {
    home.map { $0 == snapshotLock } ?? false
  }

  // MARK: Reading

  var isComputing: Bool { log != nil }

  @inline(__always)
  func recordRead(of key: Int, in cell: Cell) -> Bool {
    guard let log else { return false }
    _ = log.pointee.recordRead(of: key, in: cell)
    return true
  }

  @inline(__always)
  func pinState(of cell: Cell) -> StateBox {
    let box =
      isHome(cell) ? isDraft(cell) ? cell.draftBox : cell.performersCommittedBox : pinnedState(of: cell)
    box.pin()
    return box
  }

  /// Returns the version of the state that a substance (`cell`) has in this consistent read. For a draft, returns the
  /// version that it gets when it is committed.
  @inline(__always)
  func version(of cell: Cell) -> Int {
    if isHome(cell) { return cell.committedVersion &+ (isDraft(cell) ? 1 : 0) }
    return pinnedState(of: cell).number
  }

  private func pinnedState(of cell: Cell) -> StateBox {
    if let known = knownState(of: cell) { return known }
    // Each further state is checked against all pinned states, to find out whether they are consistent. From 64 states
    // on, one check at the end replaces this, since the time would grow quadratically.
    isInDoubt = isInDoubt || pinned.count >= 64
    let (box, isTogether) = cell.pinCommitted(besides: isInDoubt ? [] : pinned)
    if !isTogether { isTorn = true }
    keep((cell, box))
    return box
  }

  private func knownState(of cell: Cell) -> StateBox? {
    if pinned.count <= 8 { return pinned.first { $0.cell === cell }?.box }
    return places[ObjectIdentifier(cell)].map { pinned[$0].box }
  }

  private func keep(_ new: Cell.Pinned) {
    pinned.append(new)
    if pinned.count < 9 { return }
    if pinned.count == 9 {
      for (place, pinned) in pinned.enumerated() { places[ObjectIdentifier(pinned.cell)] = place }
    } else {
      places[ObjectIdentifier(new.cell)] = pinned.count - 1
    }
  }

  private func unpinAll() -> [Cell.Pinned] {
    defer { (pinned, places) = ([], [:]) }
    for (_, box) in pinned { box.unpin() }
    return pinned
  }

  /// Checks whether all pinned states are still committed. If not, they may be inconsistent, and `isTorn` is set.
  private func checkPinnedStates() {
    isInDoubt = false
    var rest = pinned
    while let first = rest.first?.cell {
      let (box, isTogether) = first.pinCommitted(besides: pinned)
      box.unpin()
      if !isTogether { isTorn = true }
      rest.removeAll { $0.cell.isOfSameFlux(as: first) }
    }
  }

  /// Replaces all pinned states by the present states of their substances, which are pinned together for each flux and
  /// are therefore consistent.
  private func pinTogether() {
    isTorn = false
    withExtendedLifetime(past) { past = [:] }
    let old = unpinAll()
    var rest = old.map(\.cell)
    while let first = rest.first {
      let together = rest.filter { $0.isOfSameFlux(as: first) }
      rest.removeAll { $0.isOfSameFlux(as: first) }
      for pinned in first.pinCommittedTogether(with: together) { keep(pinned) }
    }
    withExtendedLifetime(old) {}
  }
}
