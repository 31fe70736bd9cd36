import Foundation

/// The bytes of an archive: a header with a checksum, then the key, then the JSON text of the state. Integers are
/// big-endian.
///
///     offset  bytes
///          0      8  the mark `FlaskArc`
///          8      2  the version of this format, 1
///         10      4  CRC-32 of all the other bytes
///         14      8  the version of the state, signed
///         22      4  the length of the key
///         26      8  the length of the payload
///         34      …  the key in UTF-8, then the payload
///
/// Nothing may follow. The checksum takes in the header, so that no bit of an archive is left unwatched.
enum ArchiveFormat {
  /// The first eight bytes of every archive.
  static let mark = Array("FlaskArc".utf8)

  /// The version that this code writes and reads.
  static let version: UInt16 = 1

  /// The number of bytes before the key.
  static let headerCount = 34

  static let checksumRange = 10..<14

  /// Puts a state's JSON text into an archive.
  ///
  /// - Complexity: O(*n*) in the length of the payload.
  static func wrap(_ payload: Data, as header: ArchiveHeader) -> Data {
    let key = Array(header.key.utf8)
    var data = Data(capacity: headerCount + key.count + payload.count)
    data.append(contentsOf: mark)
    data.append(bigEndian: version)
    data.append(bigEndian: UInt32(0))
    data.append(bigEndian: Int64(header.stateVersion))
    data.append(bigEndian: UInt32(truncatingIfNeeded: key.count))
    data.append(bigEndian: UInt64(payload.count))
    data.append(contentsOf: key)
    data.append(payload)
    seal(&data)
    return data
  }

  /// Takes the header and the JSON text out of an archive.
  ///
  /// - Throws: `ArchiveError.corrupt` with the reason.
  /// - Complexity: O(*n*) in the number of bytes.
  static func unwrap(_ data: Data) throws(ArchiveError) -> (header: ArchiveHeader, payload: Data) {
    let data = data.startIndex == 0 ? data : Data(data)
    guard data.starts(with: mark) else { throw .corrupt(reason: "it has no mark of an archive") }
    guard data.count >= headerCount else { throw .corrupt(reason: "it ends inside its header") }
    guard checksum(of: data) == data.bigEndian(UInt32.self, at: 10) else {
      throw .corrupt(reason: "its checksum does not match its bytes")
    }
    let format = data.bigEndian(UInt16.self, at: 8)
    guard format == version else {
      throw .corrupt(reason: "it has format \(format), and this code reads \(version)")
    }
    let keyCount = data.length(UInt32.self, at: 22)
    let payloadCount = data.length(UInt64.self, at: 26)
    guard keyCount <= data.count - headerCount, payloadCount == data.count - headerCount - keyCount,
      let key = String(bytes: data[headerCount..<headerCount + keyCount], encoding: .utf8),
      let stateVersion = Int(exactly: data.bigEndian(Int64.self, at: 14))
    else { throw .corrupt(reason: "its header does not describe its bytes") }
    return (ArchiveHeader(stateVersion: stateVersion, key: key), Data(data[(headerCount + keyCount)...]))
  }

  /// Separates an archive from the bytes that follow it, by the lengths in its header.
  static func split(_ data: Data) -> (archive: Data, rest: Data) {
    let data = data.startIndex == 0 ? data : Data(data)
    guard data.count >= headerCount else { return (data, Data()) }
    let rest = data.count - headerCount
    let key = data.length(UInt32.self, at: 22)
    let payload = data.length(UInt64.self, at: 26)
    guard data.starts(with: mark), key <= rest, payload < rest - key else { return (data, Data()) }
    let count = headerCount + key + payload
    return (data.prefix(count), Data(data.dropFirst(count)))
  }

  /// Computes the checksum of all other bytes and writes it into the header.
  static func seal(_ data: inout Data) {
    let sum = checksum(of: data)
    data.replaceSubrange(checksumRange, with: withUnsafeBytes(of: sum.bigEndian, Array.init))
  }

  /// The checksum of all bytes except the bytes of the checksum itself.
  static func checksum(of data: Data) -> UInt32 {
    data.withUnsafeBytes { bytes in
      var sum = CRC32()
      sum.update(UnsafeRawBufferPointer(rebasing: bytes[..<checksumRange.lowerBound]))
      sum.update(UnsafeRawBufferPointer(rebasing: bytes[checksumRange.upperBound...]))
      return sum.value
    }
  }
}

/// The header of an archive, before the state.
struct ArchiveHeader: Equatable {
  /// The version of the state with which the archive was written.
  let stateVersion: Int

  /// The key the archive was written for.
  let key: String
}

extension Data {
  /// Appends an integer, its most significant byte first.
  mutating func append(bigEndian number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
  }

  /// Returns the CRC-32 of these bytes. If an integer is given, its four bytes come first.
  func checksum(after number: UInt32? = nil) -> UInt32 {
    var sum = CRC32()
    if let number { Swift.withUnsafeBytes(of: number.bigEndian) { sum.update($0) } }
    withUnsafeBytes { sum.update($0) }
    return sum.value
  }

  /// Reads a length. The result is `Int.max` if the length does not fit an `Int`, so that it exceeds the size of any
  /// data.
  func length<Number: FixedWidthInteger>(_ type: Number.Type, at offset: Int) -> Int {
    Int(exactly: bigEndian(type, at: offset)) ?? .max
  }

  /// Reads an integer, its most significant byte first. The data must have enough bytes.
  func bigEndian<Number: FixedWidthInteger>(_ type: Number.Type, at offset: Int) -> Number {
    self[offset..<offset + MemoryLayout<Number>.size].reduce(0) { $0 << 8 | Number($1) }
  }
}
