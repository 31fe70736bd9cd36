internal import FlaskPrimitives
import Foundation

/// An archive with its journal in a backend, and their known content. All functions are called on the queue of the
/// archive's slot.
final class ArchiveStore: Sendable {
  let backend: any ArchiveBackend
  let key: String
  private let layout: ArchiveLayout
  private let known = Lock<ArchiveFile?>(nil)
  private var reader: ArchiveReader { ArchiveReader(backend: backend, key: key) }

  init(_ layout: ArchiveLayout, key: String, in backend: any ArchiveBackend) {
    self.layout = layout
    self.key = key
    self.backend = backend
  }

  /// The content of the archive; `nil` if there is no archive, or if its content is unknown.
  var file: ArchiveFile? { known.withLock { $0 } }

  /// Records the content of the archive.
  func know(_ file: ArchiveFile?) {
    // The old content is released after the lock is unlocked, since its release may run a `deinit` of client code.
    known.withLockReleasing { known in
      defer { known = file }
      return known
    }
  }

  /// Reads the archive and its journal. An archive that cannot be parsed is quarantined.
  ///
  /// - Returns: the present content, and the damage.
  /// - Throws: the reason why it cannot be read, or quarantined.
  func read() throws(ArchiveError) -> (file: ArchiveFile?, damage: ArchiveFault.Kind?) {
    guard let (archive, journal) = try ArchiveError.catching({ try reader.loaded() }) else {
      return (nil, nil)
    }
    do throws(ArchiveError) {
      var file = try layout.file(archive)
      let damage = file.perform(journal)
      // The damaged archive is copied, but not removed: the next save writes the whole archive.
      let copy = damage.flatMap { _ in reader.setAside(archive + journal, isRemoving: false) }
      return (file, damage.map { .journalDamaged($0, setAside: copy) })
    } catch {
      let copy = error.isTemporary ? nil : reader.setAside(archive + journal)
      if copy == nil { throw error }
      return (nil, .corrupt(error, setAside: copy))
    }
  }

  /// Writes the archive: either the changes as a record of its journal, or the whole archive.
  ///
  /// - Parameters:
  ///   - parts: the new content.
  ///   - whole: makes the whole archive of a part.
  /// - Throws: why it could not be written.
  func write(
    _ parts: [String: PartContent],
    whole: (_ key: String, _ part: PartContent) throws(ArchiveError) -> Data
  ) throws(ArchiveError) {
    let file = file
    // There is nothing to write if there are no parts and no archive. The backend is asked for the archive, since one
    // may exist although its content is unknown.
    if file == nil, parts.isEmpty, case .success(nil) = Result(catching: { try reader.loaded() }) { return }
    let step = file?.record(parts)
    let isPresent = step?.record.isEmpty ?? false
    if let file, let (record, next) = step, let backend = backend as? any JournalArchiveBackend,
      !isPresent || parts.values.contains(where: { !$0.contents.isEmpty })
    {
      let end = file.end
      // An error of appending to the journal is ignored. The whole archive is then saved, which ends the journal, whose
      // content is unknown.
      let isDone = try? backend.append(record, toJournalOf: key, beginning: end.beginning, length: end.length)
      know(isDone == true ? next : nil)
      if isDone == true { return }
    }
    var wholes: [String: Data] = [:]
    for (key, part) in parts { wholes[key] = try whole(key, part) }
    let data = layout.wrap(wholes)
    // If nothing has changed here, the archive in the backend is read and compared with the new bytes, since another
    // process may have changed it.
    if isPresent, let found = try? reader.loaded(), found.archive == data, found.journal.isEmpty { return }
    know(nil)
    try ArchiveError.catching { try backend.save(data, for: key) }
    know(ArchiveFile(data, parts, layout))
  }
}
