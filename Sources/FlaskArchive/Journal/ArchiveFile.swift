import Foundation

/// An archive with its journal, as this process last read or wrote them.
struct ArchiveFile: Sendable {
  private(set) var end: JournalEnd
  /// True if bytes follow the last whole record of the journal, or if a record does not fit the archive. No record can
  /// be appended then.
  private(set) var isTorn = false
  /// The parts by key. An archive of one state has one part.
  var parts: [String: PartContent]
  private let layout: ArchiveLayout

  /// An archive without a journal.
  init(_ archive: Data, _ parts: [String: PartContent], _ layout: ArchiveLayout) {
    end = JournalEnd(of: archive)
    self.parts = parts
    self.layout = layout
  }

  /// Makes the journal record that changes the archive to the given content of the parts.
  ///
  /// - Returns: the record and the file after it. The record is empty if nothing has changed. The result is `nil` if
  ///   the whole archive must be saved.
  func record(_ parts: [String: PartContent]) -> (record: Data, file: ArchiveFile)? {
    guard !isTorn, let changes = PartChange.changes(from: self.parts, to: parts) else { return nil }
    var file = self
    file.parts = parts
    if changes.isEmpty { return (Data(), file) }
    return layout.payload(changes).flatMap { file.end.record($0) }.map { ($0, file) }
  }

  /// Returns true if the archive and the journal in a backend are those that this process last read or wrote. An
  /// incomplete record at the end of the journal is ignored.
  func isThere(in archive: Data, _ journal: Data) -> Bool {
    let read = JournalFormat.unwrap(journal, after: JournalFormat.checksum(ofArchive: archive))
    return archive.starts(with: end.beginning) && read.length == end.length && read.checksum == end.checksum
  }

  /// Applies the records that were appended to the journal.
  ///
  /// - Parameters:
  ///   - journal: the bytes appended behind the end.
  ///   - performed: applies a record to the encoded content of a part; `nil` if the result cannot be determined.
  /// - Returns: the damage of the journal; `nil` if the journal is whole, or ends with a record that was only partly
  ///   written.
  mutating func perform(
    _ journal: Data,
    _ performed: (_ key: String, _ record: Data, _ part: PartContent) -> PartContent? = { _, _, _ in nil }
  ) -> ArchiveError? {
    let read = JournalFormat.unwrap(journal, after: end.checksum)
    end.length += read.length
    end.checksum = read.checksum
    isTorn = read.hasRest
    do throws(ArchiveError) {
      for payload in read.payloads {
        for (key, change) in try layout.changes(of: payload) {
          guard case .edits(let record) = change else {
            parts[key] = if case .whole(let archive) = change { PartContent(archive) } else { nil }
            continue
          }
          guard var part = parts[key] else { throw JournalRecord.misfit }
          let isOutline = !part.contents.isEmpty
          if !isOutline { part.records.append(record) }
          guard let changed = isOutline ? performed(key, record, part) : part else {
            throw JournalRecord.misfit
          }
          parts[key] = changed
        }
      }
    } catch {
      isTorn = true
      return error
    }
    return read.isDamaged ? .corrupt(reason: "its journal is damaged") : nil
  }
}
