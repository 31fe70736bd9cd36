import Foundation

/// The bytes of a journal: a sequence of records. Integers are big-endian.
///
///     offset  bytes
///          0      4  the length of the payload
///          4      4  CRC-32 of the checksum before and the length
///          8      4  CRC-32 of the four bytes before and the payload
///         12      …  the payload
///
/// The checksum before the first record is the CRC-32 of the header of the archive. A record therefore belongs to one
/// archive and to the records before it. A record behind a damaged record cannot be taken for the successor of the
/// records before the damage.
enum JournalFormat {
  private static let headerCount = 12

  /// The checksum before the first record of a journal: the CRC-32 of the header of the archive.
  static func checksum(ofArchive data: Data) -> UInt32 { beginning(of: data).checksum() }

  /// The header of an archive, with checksum and lengths. Equal archives have equal headers; different archives have
  /// equal headers only if their checksums and lengths collide.
  static func beginning(of archive: Data) -> Data { Data(archive.prefix(ArchiveFormat.headerCount)) }

  /// A record with a payload.
  ///
  /// - Parameter checksum: the checksum of the record before; on return, the checksum of this record.
  /// - Returns: The record; `nil` if the payload is larger than 4 GB.
  static func record(_ payload: Data, after checksum: inout UInt32) -> Data? {
    guard let count = UInt32(exactly: payload.count) else { return nil }
    var data = Data(capacity: headerCount + payload.count)
    data.append(bigEndian: count)
    let head = Self.checksum(of: count, after: checksum)
    data.append(bigEndian: head)
    checksum = payload.checksum(after: head)
    data.append(bigEndian: checksum)
    data.append(payload)
    return data
  }

  /// The contents of a journal.
  struct Contents {
    /// The payloads of all whole records: reading stops at the first record that is not whole.
    var payloads: [Data] = []
    /// The checksum of the last whole record.
    var checksum: UInt32
    /// The number of bytes of all whole records, with their headers.
    var length = 0
    /// Whether bytes follow the last whole record. A process that was killed while it appended leaves such bytes.
    var hasRest = false
    /// True if the journal is damaged: the bytes behind the last whole record are more than an incomplete record.
    var isDamaged = false
  }

  /// Takes the records out of a journal.
  ///
  /// - Complexity: O(*n*) in the number of bytes.
  static func unwrap(_ journal: Data, after checksum: UInt32) -> Contents {
    let journal = journal.startIndex == 0 ? journal : Data(journal)
    var contents = Contents(checksum: checksum)
    while journal.count - contents.length >= headerCount {
      let start = contents.length
      let count = journal.bigEndian(UInt32.self, at: start)
      let head = journal.bigEndian(UInt32.self, at: start + 4)
      guard head == Self.checksum(of: count, after: contents.checksum) else {
        contents.isDamaged = true
        break
      }
      guard let count = Int(exactly: count), count <= journal.count - start - headerCount else { break }
      let end = start + headerCount + count
      let payload = Data(journal[(start + headerCount)..<end])
      let sum = payload.checksum(after: head)
      guard sum == journal.bigEndian(UInt32.self, at: start + 8) else {
        contents.isDamaged = true
        break
      }
      contents.payloads.append(payload)
      contents.checksum = sum
      contents.length = end
    }
    contents.hasRest = contents.length < journal.count
    return contents
  }

  private static func checksum(of count: UInt32, after checksum: UInt32) -> UInt32 {
    withUnsafeBytes(of: count.bigEndian) { Data($0) }.checksum(after: checksum)
  }
}
