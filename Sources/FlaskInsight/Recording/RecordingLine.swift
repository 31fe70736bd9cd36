internal import FlaskPrimitives

/// A line of a recording that is being written: an object, member by member.
public struct RecordingLine {
  private(set) var bytes: [UInt8] = []
  private var isEmpty = true

  /// Begins a line, with the kind of its content.
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

  /// Adds a value that is JSON already.
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

  /// Adds a list. `body` writes each element.
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
