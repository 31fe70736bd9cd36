import Foundation

/// What a record of a group's journal says: which parts have changed, and how.
///
/// Of each part the payload has the length of its key (4 bytes), what has become of it (1), the length of the bytes
/// that say so (4), the key in UTF-8, and these bytes. Numbers are big-endian.
enum GroupRecord {
  private static let headCount = 9

  /// The payload that says what has become of some parts.
  static func payload(_ changes: [(key: String, change: PartChange)]) -> Data {
    var payload = Data()
    for (key, change) in changes {
      let (kind, bytes): (UInt8, Data) =
        switch change {
        case .removed: (0, Data())
        case .whole(let archive): (1, archive)
        case .edits(let record): (2, record)
        }
      payload.append(bigEndian: UInt32(truncatingIfNeeded: key.utf8.count))
      payload.append(kind)
      payload.append(bigEndian: UInt32(truncatingIfNeeded: bytes.count))
      payload.append(contentsOf: key.utf8)
      payload.append(bytes)
    }
    return payload
  }

  /// What a payload says.
  ///
  /// - Throws: `ArchiveError.corrupt`.
  static func changes(of payload: Data) throws(ArchiveError) -> [(key: String, change: PartChange)] {
    var changes: [(key: String, change: PartChange)] = []
    var position = 0
    while position < payload.count {
      guard payload.count - position >= headCount else { throw JournalRecord.misfit }
      let keyCount = payload.length(UInt32.self, at: position)
      let count = payload.length(UInt32.self, at: position + 5)
      let start = position + headCount
      guard keyCount <= payload.count - start, count <= payload.count - start - keyCount,
        let key = String(bytes: payload[start..<start + keyCount], encoding: .utf8)
      else { throw JournalRecord.misfit }
      let bytes = Data(payload[start + keyCount..<start + keyCount + count])
      switch payload[position + 4] {
      case 0: changes.append((key, .removed))
      case 1: changes.append((key, .whole(bytes)))
      case 2: changes.append((key, .edits(bytes)))
      default: throw JournalRecord.misfit
      }
      position = start + keyCount + count
    }
    return changes
  }
}
