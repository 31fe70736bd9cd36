internal import FlaskPrimitives

/// The work on one archive. Each thread that does this work is marked as such.
///
/// While a thread does the work of an archive, the archive's queue is occupied. Client code on such a thread (a state's
/// `encode(to:)`, a backend) must not wait for this queue. The thread is marked, not the queue: deep states are encoded
/// on a separate thread, and client code may continue on its own queue.
package final class ArchiveWork: Sendable {
  // The reference is removed before `perform` returns, which retains the work.
  private static let mark = ThreadSlot<ArchiveWork>()

  /// The archive work that this thread does; `nil` if it does none. Within nested works it is the outer work, whose
  /// queue is occupied.
  package static var current: ArchiveWork? { mark.object?.reference.takeUnretainedValue() }

  package init() {}

  /// The work on another archive for which each waiting work waits, by the identity of the waiting work.
  private static let waiting = Lock<[ObjectIdentifier: ArchiveWork]>([:])

  /// Records that this work waits for another work.
  ///
  /// - Returns: `false` if the other work is this one, or waits for this one.
  package func beginWaiting(for other: ArchiveWork) -> Bool {
    ArchiveWork.waiting.withLock { waiting in
      var next: ArchiveWork? = other
      while let found = next {
        if found === self { return false }
        next = waiting[ObjectIdentifier(found)]
      }
      waiting[ObjectIdentifier(self)] = other
      return true
    }
  }

  package func endWaiting() {
    ArchiveWork.waiting.withLockReleasing { $0.removeValue(forKey: ObjectIdentifier(self)) }
  }

  /// Performs `body` on this thread as a part of `work`.
  package static func perform<Result, Failure: Error>(
    _ work: ArchiveWork?,
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let work, current == nil else { return try body() }
    mark.object = UnretainedReference(work)
    defer {
      mark.object = nil
      withExtendedLifetime(work) {}
    }
    return try body()
  }
}
