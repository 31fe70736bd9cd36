internal import FlaskPrimitives
import Foundation

// What the writer does on the slot's queue if the backend knows journals.
extension ArchiveWriter {
  /// Saves by what has changed, or as a whole if that is not known, or too much.
  func attempt(
    _ lastChange: Duration?,
    in backend: any JournalArchiveBackend,
    _ encodeStep: (JournalBasis?) throws(ArchiveError) -> JournalStep?
  ) -> (Outcome, ArchiveSchedule.Outcome) {
    if isSuperseded(lastChange) {
      didSave()
      return (.success(()), .saved)
    }
    do throws(ArchiveError) {
      let basis = slot.contents.withLock { $0.basis }
      guard let step = try encodeStep(basis) else { return (.success(()), .abandoned) }
      switch step {
      case .whole(let data, let basis): return save(data, lastChange, knowing: basis)
      case .rest:
        if let basis, append(Data(), basis, basis, lastChange, in: backend) { return (.success(()), .saved) }
      case .append(let record, let next):
        if let basis, append(record, basis, next, lastChange, in: backend) { return (.success(()), .saved) }
      }
      // Somebody else has written, or nothing more can be appended: so the whole is saved.
      guard case .whole(let data, let next)? = try encodeStep(nil) else { return (.success(()), .abandoned) }
      return save(data, lastChange, knowing: next)
    } catch {
      return (.failure(error), .abandoned)
    }
  }

  /// Appends to the journal.
  ///
  /// - Returns: Whether that is durable.
  private func append(
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
      beginning: basis.beginning,
      length: basis.length
    )
    guard isDone == true else { return false }
    know(next)
    slot.contents.withLock { $0.lastChange = lastChange ?? $0.lastChange }
    didSave()
    return true
  }

  /// Remembers what the archive has.
  func know(_ basis: JournalBasis?) {
    // Handed out of the lock: the elements that are released may have a `deinit` that a user wrote.
    let replaced = slot.contents.withLock { contents in
      defer { contents.basis = basis }
      return contents.basis
    }
    withExtendedLifetime(replaced) {}
  }
}
