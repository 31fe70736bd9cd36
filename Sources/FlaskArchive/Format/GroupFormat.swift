import Foundation

/// The bytes of a group of archives: a header, the table of the parts, and the parts. Each part is a complete archive.
///
///     0   8  mark "FlaskGrp"
///     8   2  version of this format
///     10  4  CRC-32 of the header, the name and the table, these four bytes left out
///     14  8  length of everything
///     22  4  length of the name
///     26  8  length of the table
///     34  …  the name in UTF-8, then the table, then the parts in the order of the table
///
/// An entry of the table is the length of the key (4), the length of the part (8), the part's checksum (4) and the key.
/// Each part has its own checksum, so damage to one part leaves the other parts whole.
enum GroupFormat {
  /// The first eight bytes of every group.
  static let mark = Array("FlaskGrp".utf8)

  /// The version that this code writes and reads.
  static let version: UInt16 = 1

  private static let headerCount = ArchiveFormat.headerCount
  private static let entryCount = 16
  private static let checksumRange = ArchiveFormat.checksumRange

  /// Makes the bytes of a group from its parts, sorted by key.
  ///
  /// - Complexity: O(*n*) in the number of bytes.
  static func wrap(_ parts: [String: Data], name: String) -> Data {
    let sorted = parts.inOrderOfScalars
    var table = Data()
    for (key, part) in sorted {
      table.append(bigEndian: UInt32(truncatingIfNeeded: key.utf8.count))
      table.append(bigEndian: UInt64(part.count))
      table.append(bigEndian: checksum(in: part))
      table.append(contentsOf: key.utf8)
    }
    let head = headerCount + name.utf8.count + table.count
    let total = sorted.reduce(head) { $0 + $1.value.count }
    var data = Data(capacity: total)
    data.append(contentsOf: mark)
    data.append(bigEndian: version)
    data.append(bigEndian: UInt32(0))
    data.append(bigEndian: UInt64(total))
    data.append(bigEndian: UInt32(truncatingIfNeeded: name.utf8.count))
    data.append(bigEndian: UInt64(table.count))
    data.append(contentsOf: name.utf8)
    data.append(table)
    ArchiveFormat.seal(&data)
    for (_, part) in sorted { data.append(part) }
    return data
  }

  /// Splits a group into its parts. Their contents are not parsed: a damaged or truncated part is returned unchanged.
  ///
  /// - Throws: `ArchiveError.corrupt` if the positions of the parts cannot be determined.
  /// - Complexity: O(*n*) in the number of bytes.
  static func unwrap(_ data: Data, name: String) throws(ArchiveError) -> [String: Data] {
    let data = data.startIndex == 0 ? data : Data(data)
    guard data.starts(with: mark) else { throw .corrupt(reason: "it has no mark of a group") }
    guard data.count >= headerCount else { throw .corrupt(reason: "it ends inside its header") }
    let nameCount = data.length(UInt32.self, at: 22)
    let tableCount = data.length(UInt64.self, at: 26)
    guard nameCount <= data.count - headerCount, tableCount <= data.count - headerCount - nameCount else {
      throw .corrupt(reason: "it ends inside its table")
    }
    let head = headerCount + nameCount + tableCount
    guard
      ArchiveFormat.checksum(of: data[..<head]) == data.bigEndian(UInt32.self, at: checksumRange.lowerBound)
    else {
      throw .corrupt(reason: "the checksum of its table does not match")
    }
    let format = data.bigEndian(UInt16.self, at: 8)
    guard format == version else {
      throw .corrupt(reason: "it has format \(format), and this code reads \(version)")
    }
    guard data.count <= data.bigEndian(UInt64.self, at: 14) else {
      throw .corrupt(reason: "something follows its last part")
    }
    guard String(bytes: data[headerCount..<headerCount + nameCount], encoding: .utf8) == name else {
      throw .corrupt(reason: "it was saved under another name")
    }
    return try parts(of: data, table: headerCount + nameCount..<head)
  }

  private static func parts(of data: Data, table: Range<Int>) throws(ArchiveError) -> [String: Data] {
    var parts: [String: Data] = [:]
    var position = table.lowerBound
    var start = table.upperBound
    while position < table.upperBound {
      guard table.upperBound - position >= entryCount else { throw .corrupt(reason: "its table is cut off") }
      let keyCount = data.length(UInt32.self, at: position)
      let count = data.length(UInt64.self, at: position + 4)
      position += entryCount
      guard keyCount <= table.upperBound - position,
        let key = String(bytes: data[position..<position + keyCount], encoding: .utf8), parts[key] == nil
      else { throw .corrupt(reason: "its table names no key") }
      position += keyCount
      let end = start + min(count, data.count - start)
      parts[key] = Data(data[start..<end])
      start = end
    }
    return parts
  }

  /// Returns the checksum in a part's own header. The group's table contains this checksum, so that groups with
  /// different parts have different headers.
  private static func checksum(in part: Data) -> UInt32 {
    let part = part.startIndex == 0 ? part : Data(part)
    return part.count >= checksumRange.upperBound
      ? part.bigEndian(UInt32.self, at: checksumRange.lowerBound) : 0
  }
}
