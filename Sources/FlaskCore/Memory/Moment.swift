@_spi(FlaskInternals) internal import FlaskArchive
internal import FlaskDiff
internal import Synchronization

/// States of several substances at one moment: what is read inside of `perform` is read from it.
///
/// A state that is read is pinned, and stays as it is until the end. States of one flux are of one moment if all of
/// them are still committed when another one is added; if not, everything is done again, with all of them pinned
/// together.
///
/// `@unchecked Sendable`: found by the thread that it was made current on and by no other, and touched by that thread
/// alone. The one of a flux is made current by its performer; the flux's queue hands it from one thread to the next.
final class Moment: @unchecked Sendable {
  typealias Pinned = (cell: StateCell, box: StateBox)

  /// That of the running code, if any.
  private static let slot = ThreadSlot<Moment>()
  /// How many are current somewhere. Nobody has to look for one while none is (fast path).
  private static let count = Atomic<Int>(0)

  /// Behind a pointer, since each access to a stored variable of a class costs a dynamic check.
  private struct Memory {
    var pinned: [Pinned] = []
    /// Where those beyond the first few are found.
    var places: [ObjectIdentifier: Int] = [:]
    var isTorn = false
    /// The cells of which the drafts are read.
    var drafts: [Borrowed<StateCell>] = []
    /// Whether those have been published already, and what was there before is read.
    var isBeforeDrafts = false
    /// Who wants to know what is read.
    var log: UnsafeMutablePointer<ReadLog>?
    /// What is being computed.
    var computed: [Borrowed<AnyObject>] = []
    /// Values that are used until the end, pinned.
    var held: [StateBox] = []
    /// What has been computed, or found to be good, by those who would have to ask others to find out.
    var known: [ObjectIdentifier: Known] = [:]
  }

  private struct Known {
    /// So that its identity stays its own.
    let owner: AnyObject
    let value: NumberedBox
  }

  private let memory: UnsafeMutablePointer<Memory>
  /// The lock of a flux in which an operation is about to be committed. Drafts of its cells are read, and of its other
  /// cells what is committed: nobody but this thread commits any of them then, so they need not be kept as they are.
  private let home: Borrowed<Lock<Void>>?

  private init(home: Borrowed<Lock<Void>>? = nil) {
    self.home = home
    memory = .allocate(capacity: 1)
    memory.initialize(to: Memory())
  }

  /// For the operations of a flux that are about to be committed, one after the other.
  ///
  /// - Parameter snapshots: the lock of the cells of that flux, which the caller holds.
  convenience init(draftsOf snapshots: Lock<Void>) { self.init(home: Borrowed(snapshots)) }

  deinit {
    memory.deinitialize(count: 1)
    memory.deallocate()
  }

  /// That of the running code.
  @inline(__always)
  static var current: Moment? {
    borrowedCurrent?.object
  }

  /// That of the running code, which is held by whoever made it the current one.
  @inline(__always)
  static var borrowedCurrent: Borrowed<Moment>? { count.load(ordering: .relaxed) == 0 ? nil : slot.object }

  /// Makes this the current one for the length of a call.
  private func enter<Result>(_ body: (Moment) -> Result) -> Result {
    let outer = Moment.slot.object
    Moment.slot.object = Borrowed(self)
    Moment.count.add(1, ordering: .relaxed)
    defer {
      Moment.count.subtract(1, ordering: .relaxed)
      Moment.slot.object = outer
    }
    return body(self)
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
      let result = moment.enter(body)
      if !moment.memory.pointee.isTorn { return result }
      cells = moment.memory.pointee.pinned.map(\.cell)
    }
  }

  // MARK: Drafts, by the performer

  /// Has the draft of a cell read from here on, which has been reduced and not published.
  func addDraft(_ cell: StateCell) { memory.pointee.drafts.append(Borrowed(cell)) }

  /// Whether the draft of a cell is read.
  func isDraft(_ cell: StateCell) -> Bool {
    for draft in memory.pointee.drafts where draft.isSame(as: cell) { return true }
    return false
  }

  /// Calls `body`, which reads the drafts of the cells that were added, and the committed states of all others.
  func performOnDrafts(_ body: (Moment) -> Void) { enter(body) }

  /// Calls `body`, which reads what was committed before the drafts were published; they have not been settled.
  func performBeforeDrafts(_ body: (Moment) -> Void) {
    memory.pointee.isBeforeDrafts = true
    enter(body)
    memory.pointee.isBeforeDrafts = false
  }

  /// Sees to it that all is done again, if what was read is not committed any more. False if it can't be. Called by who
  /// is told of commits from now on.
  func checkStates() -> Bool {
    if memory.pointee.pinned.allSatisfy({ $0.cell.isCommitted($0.box) }) { return true }
    memory.pointee.isTorn = true
    return home == nil
  }

  /// Forgets the drafts, before another operation is in progress.
  func endDrafts() {
    while memory.pointee.drafts.popLast() != nil {}
    memory.pointee.isTorn = false
    if memory.pointee.held.isEmpty && memory.pointee.pinned.isEmpty { return }
    unpin()
    let (held, known) = (memory.pointee.held, memory.pointee.known)
    memory.pointee.held = []
    memory.pointee.known = [:]
    memory.pointee.places = [:]
    withExtendedLifetime((held, known)) {}
  }

  // MARK: What is computed

  /// False if something is being computed already, at some depth. The caller holds it until `end()`.
  func begin(_ something: AnyObject) -> Bool {
    for computed in memory.pointee.computed where computed.isSame(as: something) { return false }
    memory.pointee.computed.append(Borrowed(something))
    return true
  }

  /// Ends what was begun last.
  func end() { memory.pointee.computed.removeLast() }

  /// Sees to it that a value can be used until the end of the moment. It is pinned for that, and the caller's own pin
  /// goes.
  func hold(_ value: NumberedBox) { memory.pointee.held.append(value.box) }

  /// The value of something that was computed at this moment before.
  func known(of something: AnyObject) -> NumberedBox? {
    memory.pointee.known.isEmpty ? nil : memory.pointee.known[ObjectIdentifier(something)]?.value
  }

  /// Remembers the value of something, which is held.
  func remember(_ value: NumberedBox, of something: AnyObject) {
    memory.pointee.known[ObjectIdentifier(something)] = Known(owner: something, value: value)
  }

  /// Calls `body`, and notes down in `log` what it reads itself.
  func logging<Result>(in log: UnsafeMutablePointer<ReadLog>, _ body: () -> Result) -> Result {
    let outer = memory.pointee.log
    memory.pointee.log = log
    defer { memory.pointee.log = outer }
    return body()
  }

  /// What notes down what is read now, if anything does.
  var log: UnsafeMutablePointer<ReadLog>? { memory.pointee.log }

  // MARK: Reading

  /// The state of a cell at this moment. It is pinned once more: the caller unpins it.
  func state(of cell: StateCell) -> StateBox {
    if let home, home.isSame(as: cell.snapshots) {
      let isDraft = isDraft(cell) && !memory.pointee.isBeforeDrafts
      let box = isDraft ? cell.draftBox : cell.performersCommittedBox
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
    if let home, home.isSame(as: cell.snapshots) {
      return cell.committedVersion &+ (isDraft(cell) ? memory.pointee.isBeforeDrafts ? -1 : 1 : 0)
    }
    let box = state(of: cell)
    defer { box.unpin() }
    return box.number
  }

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
    for box in memory.pointee.held { box.unpin() }
  }
}

/// A value on the heap, and its number: another value of the same thing has another number.
struct NumberedBox {
  let box: StateBox
  let number: Int
}
