import Foundation

/// The file of a journal. It has a header, then the first bytes of the archive, then the bytes of the journal.
///
///     offset  bytes
///          0      8  the mark `FlaskJnl`
///          8      2  the version of this format, 1
///         10      4  CRC-32 of what follows up to the journal
///         14      4  the length of the beginning
///         18      …  the beginning of the archive, then the journal
///
/// A journal file with the first bytes of another archive was left behind when its archive was replaced, and does not
/// count.
enum JournalFile {
  /// The number of bytes by which a journal file may be longer than the longest allowed archive.
  static let slack = 4 << 10

  private static let mark = Array("FlaskJnl".utf8)
  private static let version: UInt16 = 1
  fileprivate static let headerCount = 18

  /// Returns the header of a journal file: everything in the file that precedes the journal.
  static func header(beginning: Data) -> Data {
    var data = Data(mark)
    data.append(bigEndian: version)
    data.append(bigEndian: beginning.checksum(after: UInt32(truncatingIfNeeded: beginning.count)))
    data.append(bigEndian: UInt32(truncatingIfNeeded: beginning.count))
    data.append(beginning)
    return data
  }

  /// Splits a file into the beginning of its archive and the journal. The result is `nil` if the header is damaged.
  static func parts(of file: Data) -> (beginning: Data, journal: Data)? {
    guard file.count >= headerCount, file.starts(with: mark), file.bigEndian(UInt16.self, at: 8) == version,
      let count = Int(exactly: file.bigEndian(UInt32.self, at: 14)), count <= file.count - headerCount
    else { return nil }
    let beginning = Data(file[headerCount..<headerCount + count])
    let sum = beginning.checksum(after: UInt32(truncatingIfNeeded: beginning.count))
    guard sum == file.bigEndian(UInt32.self, at: 10) else { return nil }
    return (beginning, Data(file[(headerCount + count)...]))
  }
}

extension ArchiveFolder {
  /// Reads an archive and its journal as a consistent snapshot. The result is `nil` if there is no archive.
  ///
  /// No lock is needed: if the archive is the same before and after its journal was read, the two belong together.
  func contents(of name: String, journal: String) throws(ArchiveError) -> (archive: Data, journal: Data)? {
    while true {
      let stamp = FileStamp(path + "/" + name)
      guard let archive = try contents(of: name) else { return nil }
      let file = try contents(of: journal, slack: JournalFile.slack)
      if stamp != FileStamp(path + "/" + name) { continue }
      guard let file else { return (archive, Data()) }
      // If the header of the journal file is damaged, the whole file is returned as the journal. So the code that knows
      // the format of journals finds the damage.
      guard let parts = JournalFile.parts(of: file) else { return (archive, file) }
      return (archive, archive.starts(with: parts.beginning) ? parts.journal : Data())
    }
  }

  /// Appends to the journal of an archive, if archive and journal are as the caller knows them. Returns when the bytes
  /// are durable.
  ///
  /// - Returns: whether archive and journal were as the caller knows them.
  func append(
    _ data: Data,
    toJournalOf name: FileName,
    beginning: Data,
    length: Int
  ) throws(ArchiveError) -> Bool {
    let lock = try writeLock()
    defer { withExtendedLifetime(lock) {} }
    guard try contents(of: name.data, 0..<beginning.count) == beginning else { return false }
    let header = JournalFile.header(beginning: beginning)
    let isFitting = header.count + length + data.count <= maximumBytes + JournalFile.slack
    let tooLarge = ArchiveError.tooLarge(bytes: length + data.count, limit: maximumBytes)
    do throws(ArchiveError) {
      // The file in which the length is found is the one that is written.
      let file = try OpenFile(path + "/" + name.journal, O_RDWR | O_APPEND | O_NONBLOCK)
      if try file.contents(0..<header.count) == header {
        guard try file.size() == header.count + length else { return false }
        if data.isEmpty { return true }
        guard isFitting else { throw tooLarge }
        try file.write(data)
        try file.synchronize()
        return true
      }
    } catch .system("open", ENOENT, _) {}
    guard length == 0 else { return false }
    if data.isEmpty { return true }
    guard isFitting else { throw tooLarge }
    try write(header + data, inPlaceOf: name.journal, through: name.temporary)
    return true
  }

  /// Removes a leftover journal that is damaged, or that an earlier archive with an equal beginning has left behind.
  /// Otherwise it would count as the journal of the archive to be saved. Call with the write lock.
  func removeJournal(_ journal: String, from data: Data) throws(ArchiveError) {
    // Only the first bytes are read, which identify the archive: the whole file may exceed the present size limit.
    let count = JournalFile.headerCount + ArchiveFormat.headerCount
    guard let file = try contents(of: journal, 0..<count) else { return }
    if let parts = JournalFile.parts(of: file), !data.starts(with: parts.beginning) { return }
    if try SystemCall.remove(path + "/" + journal) { try SystemCall.synchronizeFolder(path) }
  }
}

/// The identity of a file. It changes when another file replaces the file.
struct FileStamp: Equatable {
  private let file: UInt64
  private let second: Int
  private let nanosecond: Int
  private let size: Int

  /// The identity of the file at `path`; all fields are zero if the file does not exist.
  init(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      file = 0
      second = 0
      nanosecond = 0
      size = 0
      return
    }
    file = UInt64(status.st_ino)
    size = Int(status.st_size)
    #if canImport(Darwin)
      second = status.st_mtimespec.tv_sec
      nanosecond = status.st_mtimespec.tv_nsec
    #else
      second = status.st_mtim.tv_sec
      nanosecond = status.st_mtim.tv_nsec
    #endif
  }
}
