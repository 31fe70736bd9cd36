internal import FlaskPrimitives
internal import Foundation

/// A line of a recording that is being written: an object, member by member.
public struct RecordingLine {
  private(set) var bytes: [UInt8] = []
  private var isEmpty = true

  /// Begins a line of a kind.
  public init(_ kind: String) {
    bytes.reserveCapacity(256)
    bytes.append(UInt8(ascii: "{"))
    add("line", kind)
  }

  private mutating func begin(_ name: String) {
    if !isEmpty { bytes.append(UInt8(ascii: ",")) }
    isEmpty = false
    JSONText.append(name, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
  }

  mutating func add(_ name: String, _ text: String) {
    begin(name)
    JSONText.append(text, to: &bytes)
  }

  mutating func add(_ name: String, _ number: some BinaryInteger) {
    begin(name)
    bytes += String(number).utf8
  }

  mutating func add(_ name: String, _ truth: Bool) {
    begin(name)
    bytes += (truth ? "true" : "false").utf8
  }

  /// Adds what is JSON already.
  public mutating func add(_ name: String, json: some Sequence<UInt8>) {
    begin(name)
    bytes += json
  }

  mutating func add(_ name: String, _ texts: [String]) {
    addList(name, texts) { JSONText.append($0, to: &$1.bytes) }
  }

  mutating func addObject(_ name: String, _ body: (inout RecordingLine) -> Void) {
    begin(name)
    object(body)
  }

  /// Adds a list, each element of which `body` writes.
  mutating func addList<Element>(
    _ name: String,
    _ elements: some Sequence<Element>,
    _ body: (Element, inout RecordingLine) -> Void
  ) {
    begin(name)
    bytes.append(UInt8(ascii: "["))
    for (index, element) in elements.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      body(element, &self)
    }
    bytes.append(UInt8(ascii: "]"))
    isEmpty = false
  }

  /// Writes an object, as an element of a list or as a value.
  mutating func object(_ body: (inout RecordingLine) -> Void) {
    bytes.append(UInt8(ascii: "{"))
    isEmpty = true
    body(&self)
    bytes.append(UInt8(ascii: "}"))
    isEmpty = false
  }

  mutating func addPlace(_ place: OperationRecord.Place?) {
    if let place { add("place", place.description) }
  }
}

/// What each line of a recording ends with: a checksum of everything up to there.
public struct RecordingSeal {
  /// The length of the member and of the brace behind it.
  static let count = 18
  private static let start = Array(",\"crc\":\"".utf8)
  private static let end = Array("\"}".utf8)

  private var checksum = CRC32()

  /// Begins with the first line of a file.
  public init() {}

  /// Ends a line that lacks its closing brace.
  public mutating func seal(_ line: RecordingLine, into bytes: inout [UInt8]) {
    bytes += line.bytes
    bytes += end(of: line.bytes)
    bytes.append(UInt8(ascii: "\n"))
  }

  /// The end of a line that begins so.
  private mutating func end(of body: some Collection<UInt8>) -> [UInt8] {
    let body = Array(body)
    body.withUnsafeBytes { checksum.update($0) }
    let digits = String(checksum.value, radix: 16)
    let padded = String(repeating: "0", count: 8 - digits.count) + digits
    return RecordingSeal.start + Array(padded.utf8) + RecordingSeal.end
  }

  /// The object of a line, without the line feed, if the line is whole and follows the ones before.
  mutating func open(_ line: ArraySlice<UInt8>) -> [UInt8]? {
    guard line.count > RecordingSeal.count else { return nil }
    let body = line.dropLast(RecordingSeal.count)
    guard line.suffix(RecordingSeal.count).elementsEqual(end(of: body)) else { return nil }
    return Array(body) + [UInt8(ascii: "}")]
  }
}
