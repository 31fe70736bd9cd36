internal import FlaskPrimitives
internal import Synchronization

/// A source of states, which the running code reads in place of the last committed states. It is used where a value is
/// computed from states, or where several states are read consistently.
package protocol StateReader: AnyObject {
  /// Records that the running code reads a key of a substance, or the whole state (-1).
  ///
  /// - Returns: `false` if this reader does not record the read; then the read is registered with Observation.
  func note(_ key: Int, of cell: Cell) -> Bool

  /// The state that the running code reads, pinned. The caller must unpin it.
  func pinState(of cell: Cell) -> StateBox

  /// Whether the running code computes a value from states.
  var isComputing: Bool { get }
}

/// The reference by which a thread finds its current reader.
///
/// `@unchecked Sendable`:
/// - Isolation: the thread that it was made current on.
/// - Invariant: constant.
/// - If violated: a read of a released reader.
package final class CurrentReader: @unchecked Sendable {
  private static let slot = ThreadSlot<CurrentReader>()
  /// Whether a reader has ever been used. Until then the lookup is skipped (fast path).
  private static let isInUse = Atomic<Bool>(false)

  /// Holds this.
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

  /// Performs `body`, which reads committed states.
  package static func suspended(_ body: () -> Void) {
    guard let outer = current else { return body() }
    slot.object = nil
    defer { slot.object = outer }
    body()
  }
}
