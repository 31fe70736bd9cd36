internal import FlaskPrimitives
internal import Synchronization

/// A source of states, which the running code reads in place of the last committed states. It is used where a value is
/// computed from states, or where several states are read consistently.
package protocol StateReader: AnyObject {
  /// Records that the running code reads a key of a substance, or the whole state (-1).
  ///
  /// - Returns: `false` if this reader does not record the read. Then the caller registers the read with Observation.
  func recordRead(of key: Int, in cell: Cell) -> Bool

  /// The state of `cell` that the running code reads. It is pinned: the box is not reused until the caller unpins it.
  func pinState(of cell: Cell) -> StateBox

  /// Whether the running code computes a value from states.
  var isComputing: Bool { get }
}

/// The object by which a thread finds its current `StateReader`.
///
/// `@unchecked Sendable`:
/// - Isolation: the thread on which it is the current reader.
/// - Invariant: constant once it is the current reader.
/// - If violated: a read of a released reader.
package final class CurrentReader: @unchecked Sendable {
  private static let slot = ThreadSlot<CurrentReader>()
  /// Whether a `StateReader` has ever been used in the process. Until then no thread searches for its current reader
  /// (fast path).
  private static let isInUse = Atomic<Bool>(false)

  /// The reader, which retains this object. Set by `begin(_:)`. Ownership: the reader outlives each use, since it is
  /// alive while this object is current.
  @exclusivity(unchecked) package private(set) unowned(unsafe) var reader: (any StateReader)!

  package init() {}

  /// Sets the reader. It must be called once, before the reader is made the current one.
  package func begin(_ reader: any StateReader) {
    self.reader = reader
    CurrentReader.isInUse.store(true, ordering: .relaxed)
  }

  /// The reader of the running code, if there is one.
  @inline(__always)
  package static var current: UnretainedReference<CurrentReader>? {
    isInUse.load(ordering: .relaxed) ? slot.object : nil
  }

  /// Whether the running code is the closure of a derived value.
  @inline(__always)
  package static var isComputing: Bool { isInUse.load(ordering: .relaxed) && isComputingHere }

  @inline(never)
  private static var isComputingHere: Bool { slot.object.map { $0.use { $0.reader.isComputing } } ?? false }

  /// Makes this reader the current one while `body` runs.
  package func perform<Result>(_ body: () -> Result) -> Result {
    let outer = makeCurrent()
    defer { CurrentReader.giveBack(outer) }
    return body()
  }

  /// Makes this reader the current one and returns the previous reader. Passing the previous reader to `giveBack(_:)`
  /// restores it.
  package func makeCurrent() -> UnretainedReference<CurrentReader>? {
    let outer = CurrentReader.slot.object
    CurrentReader.slot.object = UnretainedReference(self)
    return outer
  }

  package static func giveBack(_ outer: UnretainedReference<CurrentReader>?) { slot.object = outer }

  /// Performs `body` without a current reader, so that it reads committed states, and its reads are not recorded.
  package static func suspended(_ body: () -> Void) {
    guard let outer = current else { return body() }
    slot.object = nil
    defer { slot.object = outer }
    body()
  }
}
