/// The end of each line of a recording: a checksum of the line and of all lines before it.
public struct RecordingSeal {
  /// The number of bytes of the checksum's JSON member and of the closing brace.
  static let count = 18
  private static let start = Array(",\"crc\":\"".utf8)
  private static let end = Array("\"}".utf8)

  private var checksum = CRC32()

  /// The state before the first line of a file.
  public init() {}

  /// Completes a line that lacks its closing brace.
  public mutating func seal(_ line: RecordingLine, into bytes: inout [UInt8]) {
    bytes += line.bytes
    bytes += end(of: line.bytes)
    bytes.append(UInt8(ascii: "\n"))
  }

  /// The checksum and the closing brace of a line that begins with `body`.
  private mutating func end(of body: some Collection<UInt8>) -> [UInt8] {
    let body = Array(body)
    body.withUnsafeBytes { checksum.update($0) }
    let digits = String(checksum.value, radix: 16)
    let padded = String(repeating: "0", count: 8 - digits.count) + digits
    return RecordingSeal.start + Array(padded.utf8) + RecordingSeal.end
  }

  /// The JSON object of a line, without the line feed, if the line is whole and follows the lines before it.
  mutating func open(_ line: ArraySlice<UInt8>) -> [UInt8]? {
    guard line.count > RecordingSeal.count else { return nil }
    let body = line.dropLast(RecordingSeal.count)
    guard line.suffix(RecordingSeal.count).elementsEqual(end(of: body)) else { return nil }
    return Array(body) + [UInt8(ascii: "}")]
  }
}
