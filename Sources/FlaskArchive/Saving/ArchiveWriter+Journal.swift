internal import FlaskPrimitives
import Foundation

// What the writer does on the slot's queue if the backend knows journals.
extension ArchiveWriter {
  /// Appends to the journal.
  ///
  /// - Returns: Whether that is durable.
  func append(
    _ record: Data,
    _ basis: JournalBasis,
    _ next: JournalBasis,
    _ lastChange: Duration?,
    in backend: any JournalArchiveBackend
  ) -> Bool {
    know(nil)
    if !record.isEmpty { slot.contents.withLock { $0.header = nil } }
    // What an error leaves is not known; the whole that is saved next ends the journal.
    let isDone = try? backend.append(
      record,
      toJournalOf: key,
      beginning: basis.end.beginning,
      length: basis.end.length
    )
    guard isDone == true else { return false }
    know(next)
    slot.contents.withLock { $0.lastChange = lastChange ?? $0.lastChange }
    return true
  }

  /// Remembers what the archive has.
  func know(_ basis: JournalBasis?) {
    // Handed out of the lock: the elements that are released may have a `deinit` that a user wrote.
    slot.contents.withLockReleasing { contents in
      defer { contents.basis = basis }
      return contents.basis
    }
  }
}
