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

  /// Adds the records of the journal to the archive as it was read.
  ///
  /// - Returns: the damage of the journal; `nil` if the journal is whole, or ends with a record that was only partly
  ///   written.
  mutating func perform(_ journal: Data) -> ArchiveError? {
    let read = JournalFormat.unwrap(journal, after: end.checksum)
    end.length += read.length
    end.checksum = read.checksum
    isTorn = read.hasRest
    do throws(ArchiveError) {
      for payload in read.payloads {
        for (key, change) in try layout.changes(of: payload) {
          switch change {
          case .removed: parts[key] = nil
          case .whole(let archive): parts[key] = PartContent(archive)
          case .edits(let record):
            if parts[key] == nil { throw JournalRecord.misfit }
            parts[key]?.records.append(record)
          }
        }
      }
    } catch {
      isTorn = true
      return error
    }
    return read.isDamaged ? .corrupt(reason: "its journal is damaged") : nil
  }
}
