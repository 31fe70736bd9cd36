internal import FlaskPrimitives
/// States of several substances at one moment: what is read inside of `perform` is read from it.
///
/// A state that is read is pinned, and stays as it is until the end. States of one flux are of one moment if all of
/// them are still committed when another one is added; if not, everything is done again, with all of them pinned
/// together.
///
/// `@unchecked Sendable`: found by the thread that it was made current on and by no other, and touched by that thread
/// alone. The one of a flux is made current by its performer; the flux's queue hands it from one thread to the next.
/// So nobody accesses a variable twice at once, and none is checked for it: each check costs as much as the access.
final class Moment: StateReader, @unchecked Sendable {
  /// The lock of a flux in which an operation is about to be committed. Drafts of its cells are read, and of its other
  /// cells what is committed: no other thread commits any of them then, so they need not be kept as they are.
  private let home: Borrowed<Lock<Void>>?
  private let current = CurrentReader()

  @exclusivity(unchecked) private var pinned: [StateCell.Pinned] = []
  /// Where those beyond the first few are found.
  @exclusivity(unchecked) private var places: [ObjectIdentifier: Int] = [:]
  @exclusivity(unchecked) private var isTorn = false
  /// The cells of which the drafts are read.
  @exclusivity(unchecked) private var drafts: [Borrowed<StateCell>] = []
  /// Where what is read is noted.
  @exclusivity(unchecked) private(set) var log: UnsafeMutablePointer<ReadLog>?
  /// What is being computed, outermost first.
  @exclusivity(unchecked) private var computing: [Borrowed<AnyDerivedNode>] = []
  /// Values of this moment that are not the last ones of their nodes; pinned.
  @exclusivity(unchecked) private var past: [ObjectIdentifier: (node: AnyDerivedNode, value: NumberedBox)] =
    [:]

  /// - Parameter home: the lock of the cells of the flux whose operations are about to be committed, one after the
  ///   other. The caller holds it.
  init(home: Lock<Void>? = nil) {
    self.home = home.map { Borrowed($0) }
    current.begin(self)
  }

  /// That of the running code.
  static var ofRunningCode: Borrowed<Moment>? {
    // Moments are the only readers.
    CurrentReader.current.map { Borrowed(unsafeDowncast($0.use { $0.reader }, to: Moment.self)) }
  }

  /// Calls `body`, again if need be, until everything that it has read was committed at one moment. Inside another
  /// moment it reads from that.
  ///
  /// What it reads in a call whose result is thrown away may be of two moments.
  static func perform<Result>(_ body: (Moment) -> Result) -> Result {
    if let current = ofRunningCode { return current.use(body) }
    var cells: [StateCell] = []
    while true {
      let moment = Moment()
      moment.pin(cells)
      let result = moment.enter(body)
      let isWhole = !moment.isTorn
      cells = moment.pinned.map(\.cell)
      moment.end()
      if isWhole { return result }
    }
  }

  /// Calls `body`, which reads this moment.
  func enter<Result>(_ body: (Moment) -> Result) -> Result {
    Borrowed(current).use { $0.perform { body(self) } }
  }

  /// What was current before a moment, to be given back.
  struct Outer {
    fileprivate let log: UnsafeMutablePointer<ReadLog>?
    fileprivate let reader: Borrowed<CurrentReader>?
  }

  /// The running code reads this moment, and what it reads is noted down, until `end(_:)`.
  func begin(logging log: UnsafeMutablePointer<ReadLog>) -> Outer {
    let outer = Outer(log: self.log, reader: Borrowed(current).use { $0.makeCurrent() })
    self.log = log
    return outer
  }

  func end(_ outer: Outer) {
    log = outer.log
    CurrentReader.giveBack(outer.reader)
  }

  /// Forgets everything: another operation comes.
  func end() {
    while drafts.popLast() != nil {}
    isTorn = false
    if pinned.isEmpty && past.isEmpty { return }
    for (_, box) in pinned { box.unpin() }
    let old = pinned
    (pinned, places) = ([], [:])
    withExtendedLifetime(old) {}
    forgetValues()
  }

  private func forgetValues() {
    if past.isEmpty { return }
    let old = past
    past = [:]
    for (_, value) in old.values { value.box.unpin() }
  }

  // MARK: Drafts, by the performer

  /// Has the draft of a cell read from here on, which has been compared and not published.
  func addDraft(_ cell: StateCell) {
    forgetValues()
    drafts.append(Borrowed(cell))
  }

  private func isDraft(_ cell: StateCell) -> Bool {
    for draft in drafts where draft.isSame(as: cell) { return true }
    return false
  }

  @inline(__always)
  func isHome(_ cell: StateCell) -> Bool { home?.isSame(as: cell.snapshots) ?? false }

  // MARK: What is computed

  /// Whether a value is being computed here already, at some depth.
  func isComputing(_ node: AnyDerivedNode) -> Bool { computing.contains { $0.isSame(as: node) } }

  /// The caller holds the node until `endComputing()`.
  func beginComputing(_ node: AnyDerivedNode) { computing.append(Borrowed(node)) }
  func endComputing() { computing.removeLast() }

  /// The value of a node at this moment, if it is not the node's last one.
  func pastValue(of node: AnyDerivedNode) -> NumberedBox? {
    past.isEmpty ? nil : past[ObjectIdentifier(node)]?.value
  }

  /// Whether it has values that are not the last ones of their nodes.
  var hasPast: Bool { !past.isEmpty }

  func remember(_ value: NumberedBox, of node: AnyDerivedNode) {
    value.box.pin()
    past.updateValue((node, value), forKey: ObjectIdentifier(node))?.value.box.unpin()
  }

  /// Calls `body`, and notes down in `log` what it reads itself.
  func logging<Result>(in log: UnsafeMutablePointer<ReadLog>, _ body: () -> Result) -> Result {
    let outer = self.log
    self.log = log
    defer { self.log = outer }
    return body()
  }

  // MARK: Reading

  var isComputing: Bool { log != nil }

  @inline(__always)
  func note(_ key: Int, of cell: StateCell) -> Bool {
    guard let log else { return false }
    // Cells are read by the substances that they belong to, which are participants.
    log.pointee.note(key, of: unsafeDowncast(cell, to: Participant.self))
    return true
  }

  func pinState(of cell: StateCell, noting key: Int) -> StateBox? {
    note(key, of: cell) ? pinState(of: cell) : nil
  }

  @inline(__always)
  func pinState(of cell: StateCell) -> StateBox {
    let box =
      isHome(cell) ? isDraft(cell) ? cell.draftBox : cell.performersCommittedBox : pinnedState(of: cell)
    box.pin()
    return box
  }

  /// The version of the state of a cell at this moment; of a draft, the one that it is going to have.
  func version(of cell: StateCell) -> Int {
    if isHome(cell) { return cell.committedVersion &+ (isDraft(cell) ? 1 : 0) }
    return pinnedState(of: cell).number
  }

  private func pinnedState(of cell: StateCell) -> StateBox {
    if let known = knownState(of: cell) { return known }
    let (box, isTogether) = cell.pinCommitted(besides: pinned)
    if !isTogether { isTorn = true }
    keep((cell, box))
    return box
  }

  private func knownState(of cell: StateCell) -> StateBox? {
    if pinned.count <= 8 { return pinned.first { $0.cell === cell }?.box }
    return places[ObjectIdentifier(cell)].map { pinned[$0].box }
  }

  private func keep(_ new: StateCell.Pinned) {
    pinned.append(new)
    if pinned.count < 9 { return }
    if pinned.count == 9 {
      for (place, pinned) in pinned.enumerated() { places[ObjectIdentifier(pinned.cell)] = place }
    } else {
      places[ObjectIdentifier(new.cell)] = pinned.count - 1
    }
  }

  /// Pins the states of some cells, those of each flux at one moment.
  private func pin(_ cells: [StateCell]) {
    var rest = cells
    while let first = rest.first {
      let together = rest.filter { $0.isOfSameFlux(as: first) }
      rest.removeAll { $0.isOfSameFlux(as: first) }
      for pinned in first.pinCommittedTogether(with: together) { keep(pinned) }
    }
  }
}

/// A value on the heap, pinned by whoever has it.
struct NumberedBox {
  let box: StateBox
  /// Another value of the same thing has another number.
  let number: Int
  /// What it depends on: see `ReadList.serial`.
  let reads: Int
}
