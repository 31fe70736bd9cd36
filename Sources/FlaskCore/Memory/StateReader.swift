internal import FlaskPrimitives
internal import Synchronization

/// Reads states for the code that it runs, in place of "the last committed one": the one seam of whatever computes
/// something from states, or reads several at one moment.
package protocol StateReader: AnyObject {
  /// Notes that the running code reads a key of a substance, or all of it (-1).
  ///
  /// - Returns: false if it is not this reader's to note; then Observation is told of the read.
  func note(_ key: Int, of cell: StateCell) -> Bool

  /// The state that the running code is to see, pinned: the caller unpins it.
  func pinState(of cell: StateCell) -> StateBox

  /// Whether the running code is what computes something from states.
  var isComputing: Bool { get }
}

/// A reader as threads refer to it.
///
/// `@unchecked Sendable`: constant; used by the thread that it was made current on, and by no other.
package final class CurrentReader: @unchecked Sendable {
  private static let slot = ThreadSlot<CurrentReader>()
  /// Whether there was ever one. Until then nobody has to look for it (fast path).
  private static let isInUse = Atomic<Bool>(false)

  /// Holds this.
  @exclusivity(unchecked) package private(set) unowned(unsafe) var reader: (any StateReader)!

  package init() {}

  /// To be called once, by whoever holds this, before it is made the current one.
  package func begin(_ reader: any StateReader) {
    self.reader = reader
    CurrentReader.isInUse.store(true, ordering: .relaxed)
  }

  /// That of the running code, if any.
  @inline(__always)
  package static var current: Borrowed<CurrentReader>? {
    isInUse.load(ordering: .relaxed) ? slot.object : nil
  }

  /// Makes this the current one for the length of a call.
  package func perform<Result>(_ body: () -> Result) -> Result {
    let outer = makeCurrent()
    defer { CurrentReader.giveBack(outer) }
    return body()
  }

  /// Makes this the current one until `giveBack` is called with the outer one, which this returns.
  package func makeCurrent() -> Borrowed<CurrentReader>? {
    let outer = CurrentReader.slot.object
    CurrentReader.slot.object = Borrowed(self)
    return outer
  }

  package static func giveBack(_ outer: Borrowed<CurrentReader>?) { slot.object = outer }

  /// Performs `body`, which reads what is committed.
  package static func suspended(_ body: () -> Void) {
    guard let outer = current else { return body() }
    slot.object = nil
    defer { slot.object = outer }
    body()
  }
}

// What readers need of a cell.
extension StateCell {
  package typealias Pinned = (cell: StateCell, box: StateBox)

  /// The state to be read by the running code, pinned: the caller unpins it.
  @inline(__always)
  package final func pinForReading() -> StateBox {
    CurrentReader.current.map { $0.use { $0.reader.pinState(of: self) } } ?? pinCommitted()
  }

  /// Where closures write while an operation is in progress. By the performer.
  package final var draftBox: StateBox { facts.pointee.new.takeUnretainedValue() }

  /// The committed state, for the performer: nobody else replaces it. Before the draft is published.
  package final var performersCommittedBox: StateBox {
    facts.pointee.old.takeUnretainedValue()
  }

  /// Makes the draft what is in a box, and finds what that changes. By the performer.
  package final func draftState(in box: StateBox) {
    if draftBox.isPinned { renewDraft() }
    open()
    _ = layout.copyDifferences(from: box.address, to: draft)
    reduce()
  }

  /// Takes another box as the draft, since somebody keeps what was drafted.
  @inline(never)
  private func renewDraft() {
    let old = facts.pointee.new
    setBoxes(old: facts.pointee.old, new: .passRetained(old.takeUnretainedValue().copy()))
    old.release()
  }

  package final func isOfSameFlux(as other: StateCell) -> Bool { snapshots === other.snapshots }

  /// The last committed state, pinned; and whether the states of others of its flux are still committed, so that it is
  /// of the same moment.
  package final func pinCommitted(besides others: [Pinned]) -> (StateBox, isTogether: Bool) {
    snapshots.withLock { _ in
      let box = pinCommittedUnderLock()
      return (box, others.allSatisfy { !$0.cell.isOfSameFlux(as: self) || $0.cell.isCommitted($0.box) })
    }
  }

  /// The last committed states of cells of the same flux as this one, pinned at one moment.
  package final func pinCommittedTogether(with cells: [StateCell]) -> [Pinned] {
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
