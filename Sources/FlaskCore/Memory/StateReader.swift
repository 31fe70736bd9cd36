@_spi(FlaskInternals) internal import FlaskArchive
@_spi(FlaskInternals) internal import FlaskDiff
@_spi(FlaskInternals) internal import FlaskArchive
internal import Synchronization

/// Reads states for the code that it runs, in place of "the last committed one": the one seam of whatever computes
/// something from states, or reads several at one moment.
protocol StateReader: AnyObject {
  /// Notes that the running code reads a key of a substance, or all of it (-1).
  ///
  /// - Returns: false if it is not this reader's to note; then Observation is told of the read.
  func note(_ key: Int, of participant: Participant) -> Bool

  /// The state that the running code is to see, pinned: the caller unpins it.
  func pinState(of cell: StateCell) -> StateBox
}

/// A reader as threads refer to it.
///
/// `@unchecked Sendable`: constant; used by the thread that it was made current on, and by no other.
final class CurrentReader: @unchecked Sendable {
  private static let slot = ThreadSlot<CurrentReader>()
  /// Whether there was ever one. Until then nobody has to look for it (fast path).
  private static let isInUse = Atomic<Bool>(false)

  /// Holds this.
  unowned(unsafe) let reader: any StateReader

  init(of reader: any StateReader) {
    self.reader = reader
    CurrentReader.isInUse.store(true, ordering: .relaxed)
  }

  /// That of the running code, if any.
  @inline(__always)
  static var current: Borrowed<CurrentReader>? { isInUse.load(ordering: .relaxed) ? slot.object : nil }

  /// Makes this the current one for the length of a call.
  func perform<Result>(_ body: () -> Result) -> Result {
    let outer = CurrentReader.slot.object
    CurrentReader.slot.object = Borrowed(self)
    defer { CurrentReader.slot.object = outer }
    return body()
  }
}

// What readers need of a cell.
extension StateCell {
  typealias Pinned = (cell: StateCell, box: StateBox)

  /// The state to be read by the running code, pinned: the caller unpins it.
  @inline(__always)
  final func pinForReading() -> StateBox {
    CurrentReader.current.map { $0.use { $0.reader.pinState(of: self) } } ?? pinCommitted()
  }

  /// Where closures write while an operation is in progress. By the performer.
  final var draftBox: StateBox { memory.pointee.facts.pointee.new.takeUnretainedValue() }

  /// The committed state, for the performer: nobody else replaces it. Before the draft is published.
  final var performersCommittedBox: StateBox { memory.pointee.facts.pointee.old.takeUnretainedValue() }

  /// Makes the draft what is in a box, and finds what that changes. By the performer.
  final func draftState(in box: StateBox) {
    open()
    _ = layout.copyDifferences(from: box.address, to: draft)
    reduce()
  }

  final func isOfSameFlux(as other: StateCell) -> Bool { snapshots === other.snapshots }

  /// The last committed state, pinned; and whether the states of others of its flux are still committed, so that it is
  /// of the same moment.
  final func pinCommitted(besides others: [Pinned]) -> (StateBox, isTogether: Bool) {
    snapshots.withLock { _ in
      let box = pinCommittedUnderLock()
      return (box, others.allSatisfy { !$0.cell.isOfSameFlux(as: self) || $0.cell.isCommitted($0.box) })
    }
  }

  /// The last committed states of cells of the same flux as this one, pinned at one moment.
  final func pinCommittedTogether(with cells: [StateCell]) -> [Pinned] {
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
