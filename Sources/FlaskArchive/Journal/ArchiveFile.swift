import Foundation

/// An archive with its journal, as they were last read or written.
struct ArchiveFile: Sendable {
  private(set) var end: JournalEnd
  /// Whether bytes follow the last record, or one does not fit: nothing can be appended then.
  private(set) var isTorn = false
  /// What it has, by key; an archive of one state has one part.
  var parts: [String: PartContent]
  private let layout: ArchiveLayout

  /// An archive without a journal.
  init(_ archive: Data, _ parts: [String: PartContent], _ layout: ArchiveLayout) {
    end = JournalEnd(of: archive)
    self.parts = parts
    self.layout = layout
  }

  /// The same with what the parts are known by.
  func with(_ parts: [String: PartContent]) -> ArchiveFile {
    var file = self
    file.parts = parts
    return file
  }

  /// A record that says what the parts are now.
  ///
  /// - Returns: the record, an empty one if all is as it is, and the file behind it; `nil` if the whole is to be saved.
  func record(_ parts: [String: PartContent]) -> (record: Data, file: ArchiveFile)? {
    guard !isTorn, let changes = PartChange.changes(from: self.parts, to: parts) else { return nil }
    var file = with(parts)
    if changes.isEmpty { return (Data(), file) }
    return layout.payload(changes).flatMap { file.end.record($0) }.map { ($0, file) }
  }

  /// Whether these are the archive and the journal, but for what was torn off.
  func isThere(in archive: Data, _ journal: Data) -> Bool {
    let read = JournalFormat.unwrap(journal, after: JournalFormat.checksum(ofArchive: archive))
    return archive.starts(with: end.beginning) && read.length == end.length && read.checksum == end.checksum
  }

  /// Performs what was appended.
  ///
  /// - Parameters:
  ///   - journal: what was appended behind the end.
  ///   - members: whose parts are kept by what their states are written as.
  /// - Returns: what the matter with it is.
  mutating func perform(_ journal: Data, members: [String: any ArchivePart] = [:]) -> ArchiveError? {
    let read = JournalFormat.unwrap(journal, after: end.checksum)
    end.length += read.length
    end.checksum = read.checksum
    isTorn = read.hasRest
    do throws(ArchiveError) {
      for payload in read.payloads {
        for (key, change) in try layout.changes(of: payload) { try perform(change, on: key, members[key]) }
      }
    } catch {
      isTorn = true
      return error
    }
    return read.isDamaged ? .corrupt(reason: "its journal is damaged") : nil
  }

  private mutating func perform(
    _ change: PartChange,
    on key: String,
    _ member: (any ArchivePart)?
  ) throws(ArchiveError) {
    switch change {
    case .removed: parts[key] = nil
    case .whole(let archive): parts[key] = PartContent(archive)
    case .edits(let record):
      guard let part = parts[key] else { throw JournalRecord.misfit }
      if part.contents.isEmpty {
        parts[key]?.records.append(record)
      } else {
        guard let changed = member?.perform(record, on: part) else { throw JournalRecord.misfit }
        parts[key] = changed
      }
    }
  }
}
