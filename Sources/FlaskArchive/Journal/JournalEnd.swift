import Foundation

/// The end of an archive's journal: what a process must know to append a record.
struct JournalEnd: Sendable {
  /// The size in bytes below which archives are always saved as a whole: a journal would gain nothing.
  static let smallestArchive = 16 << 10

  /// The first bytes of the archive: its header, which differs from other headers unless checksums and lengths collide.
  let beginning: Data
  /// How many bytes the archive has.
  let archiveCount: Int
  /// How many bytes the journal has.
  var length = 0
  /// The checksum of the last record of the journal.
  var checksum: UInt32

  /// The end of the journal of an archive that has no records yet.
  init(of archive: Data) {
    beginning = JournalFormat.beginning(of: archive)
    archiveCount = archive.count
    checksum = JournalFormat.checksum(ofArchive: archive)
  }

  /// Whether the archive is too small for a journal.
  var isSmall: Bool { archiveCount < Self.smallestArchive }

  /// Makes a record with a payload, and moves the end behind this record.
  ///
  /// - Returns: the record; `nil` if the whole archive must be saved instead: the archive is small, or the journal
  ///   would be larger.
  mutating func record(_ payload: Data) -> Data? {
    var next = self
    guard !isSmall, let record = JournalFormat.record(payload, after: &next.checksum),
      length + record.count <= archiveCount
    else { return nil }
    next.length += record.count
    self = next
    return record
  }
}
