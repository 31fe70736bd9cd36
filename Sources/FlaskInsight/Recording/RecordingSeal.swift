/// The end of each line of a recording: a checksum of the line and of all lines before it.
public struct RecordingSeal {
  /// The number of bytes of the checksum's JSON member and of the closing brace.
  static let count = 18
  private static let start = Array(",\"crc\":\"".utf8)
  private static let end = Array("\"}".utf8)

  private var checksum = CRC32()

  /// A seal for the first line of a file.
  public init() {}

  /// Appends a line to `bytes` and completes it with the checksum, the closing brace and a line feed.
  public mutating func seal(_ line: RecordingLine, into bytes: inout [UInt8]) {
    bytes += line.bytes
    bytes += end(of: line.bytes)
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Adds `body` to the checksum, and returns the rest of the line: the checksum and the closing brace.
  private mutating func end(of body: some Collection<UInt8>) -> [UInt8] {
    let body = Array(body)
    body.withUnsafeBytes { checksum.update($0) }
    let digits = String(checksum.value, radix: 16)
    let padded = String(repeating: "0", count: 8 - digits.count) + digits
    return RecordingSeal.start + Array(padded.utf8) + RecordingSeal.end
  }

  /// Returns the JSON object of a line that is given without its line feed; `nil` if the checksum is wrong, since the
  /// line is damaged or does not follow the lines before it.
  mutating func open(_ line: ArraySlice<UInt8>) -> [UInt8]? {
    guard line.count > RecordingSeal.count else { return nil }
    let body = line.dropLast(RecordingSeal.count)
    guard line.suffix(RecordingSeal.count).elementsEqual(end(of: body)) else { return nil }
    return Array(body) + [UInt8(ascii: "}")]
  }
}
