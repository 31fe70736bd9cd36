internal import FlaskPrimitives
import Foundation

/// A folder of archives. This type determines the sequence of system calls of a save.
///
/// A save writes a temporary file with a fixed name, waits until the device has written it, renames it over the old
/// file, and waits for the device again. A process killed at any moment leaves the old file or the new file, and at
/// most this one temporary file. The lock of the file `.lock` puts the saves of several processes, and of several
/// objects of this type, in sequence. Reading needs no lock.
final class ArchiveFolder: Sendable {
  /// The folder.
  let path: String

  let maximumBytes: Int
  private let start = Lock<Start>(Start())

  private struct Start {
    var claim: FolderClaim?
    var isWarningDue = false
    var isClean = false
  }

  init(path: String, maximumBytes: Int) {
    self.path = path
    self.maximumBytes = maximumBytes
  }

  /// Reads a file. The result is `nil` if the file does not exist.
  ///
  /// - Parameters:
  ///   - range: the bytes to read; all by default.
  ///   - slack: the number of bytes by which the file may be larger than an archive may be.
  func contents(of name: String, _ range: Range<Int>? = nil, slack: Int = 0) throws(ArchiveError) -> Data? {
    begin()
    do throws(ArchiveError) {
      let file = try OpenFile(file(name), O_RDONLY | O_NONBLOCK)
      if let range { return try file.contents(range) }
      return try file.contents(limit: maximumBytes + slack)
    } catch .system("open", ENOENT, _) {
      return nil
    }
  }

  /// Replaces the content of a file, wholly or not at all, and returns when the bytes are durable. The journal of the
  /// file is removed.
  ///
  /// - Parameter journal: the file of its journal; `nil` if there is no journal.
  func replace(
    _ name: String,
    by data: Data,
    through temporary: String,
    endingJournal journal: String? = nil
  ) throws(ArchiveError) {
    guard data.count <= maximumBytes else { throw .tooLarge(bytes: data.count, limit: maximumBytes) }
    let lock = try writeLock()
    defer { withExtendedLifetime(lock) {} }
    if let journal { try removeJournal(journal, from: data) }
    try write(data, inPlaceOf: name, through: temporary)
    // A crash before this removal does no harm: the leftover journal belongs to the replaced archive, and is ignored.
    if let journal, try SystemCall.remove(file(journal)) { try SystemCall.synchronizeFolder(path) }
  }

  /// Writes a temporary file in the same folder, and renames it to the target. Call with the write lock.
  func write(_ data: Data, inPlaceOf name: String, through temporary: String) throws(ArchiveError) {
    do throws(ArchiveError) {
      try write(data, to: temporary)
      try SystemCall.perform("rename", file(name)) { rename(file(temporary), file(name)) }
    } catch {
      // Best effort: the next save of this key, or the next start, removes a leftover.
      _ = try? SystemCall.remove(file(temporary))
      throw error
    }
    try SystemCall.synchronizeFolder(path)
  }

  /// Removes files, in order, durably.
  func remove(_ names: [String]) throws(ArchiveError) {
    guard try exists() else { return }
    let lock = try writeLock()
    var isChanged = false
    for name in names where try SystemCall.remove(file(name)) { isChanged = true }
    if isChanged { try SystemCall.synchronizeFolder(path) }
    _ = consume lock
  }

  /// The names of all files. The result is empty if the folder does not exist.
  func names() throws -> [String] {
    begin()
    guard try exists() else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: path)
  }

  /// Whether the folder exists. An error means that this cannot be known.
  private func exists() throws(ArchiveError) -> Bool {
    do throws(ArchiveError) {
      return try SystemCall.perform("access", path) { access(path, F_OK) } == 0
    } catch .system(_, ENOENT, _) {
      return false
    }
  }

  /// Returns `true` once if another process uses the folder, and `false` afterwards.
  func takeWarning() -> Bool {
    start.withLock { start in
      defer { start.isWarningDue = false }
      return start.isWarningDue
    }
  }

  private func write(_ data: Data, to name: String) throws(ArchiveError) {
    let flags = O_WRONLY | O_CREAT | O_EXCL
    let file: OpenFile
    do throws(ArchiveError) {
      file = try OpenFile(self.file(name), flags)
    } catch .system("open", EEXIST, _) {
      try SystemCall.remove(self.file(name))
      file = try OpenFile(self.file(name), flags)
    }
    try file.write(data)
    try file.synchronize()
  }

  func writeLock() throws(ArchiveError) -> WriteLock {
    let lock: WriteLock
    do throws(ArchiveError) {
      lock = try WriteLock.waiting(in: path)
    } catch .system("open", ENOENT, _) {
      try SystemCall.makeFolder(path)
      lock = try WriteLock.waiting(in: path)
    }
    claim()
    clean()
    return lock
  }

  /// Claims the folder once it exists, and removes the leftovers of a killed process. If a write is in progress at this
  /// moment, the leftovers are removed by the first save instead.
  private func begin() {
    guard start.withLock({ $0.claim == nil || !$0.isClean }), access(path, F_OK) == 0 else { return }
    claim()
    if let lock = WriteLock.ifFree(in: path) {
      clean()
      _ = consume lock
    }
  }

  private func claim() {
    guard start.withLock({ $0.claim == nil }) else { return }
    let claim = FolderClaim.of(path)
    start.withLock { start in
      guard start.claim == nil else { return }
      start.claim = claim
      start.isWarningDue = claim.isContested
    }
  }

  /// Removes the temporary files that killed processes have left behind, once. The caller holds the write lock.
  private func clean() {
    guard start.withLock({ !$0.isClean }) else { return }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    for name in names where FileName.isTemporary(name) {
      _ = try? SystemCall.remove(file(name))
    }
    start.withLock { $0.isClean = true }
  }

  private func file(_ name: String) -> String { path + "/" + name }
}
