package import Foundation

/// Archives that the older framework wrote. They consist of the JSON text of the state in UTF-16 with a byte-order
/// mark.
package enum LegacyArchive {
  /// Returns true if `data` begins with the byte-order mark of the older format. No archive of the present format
  /// begins so.
  package static func matches(_ data: Data) -> Bool {
    data.starts(with: [0xFF, 0xFE]) || data.starts(with: [0xFE, 0xFF])
  }

  /// Converts an archive of the older format to JSON text in UTF-8.
  ///
  /// - Throws: `ArchiveError.corrupt` when the data is not valid UTF-16.
  package static func payload(of data: Data) throws(ArchiveError) -> Data {
    let isBigEndian = data.starts(with: [0xFE, 0xFF])
    let body = Array(data.dropFirst(2))
    guard body.count.isMultiple(of: 2) else { throw .corrupt(reason: "its UTF-16 ends inside a character") }
    let units = stride(from: 0, to: body.count, by: 2).map { index -> UInt16 in
      let first = UInt16(body[index])
      let second = UInt16(body[index + 1])
      return isBigEndian ? first << 8 | second : second << 8 | first
    }
    var payload = Data()
    let isBroken = transcode(units.makeIterator(), from: UTF16.self, to: UTF8.self, stoppingOnError: true) {
      payload.append($0)
    }
    guard !isBroken else { throw .corrupt(reason: "it is not well-formed UTF-16") }
    return payload
  }
}
