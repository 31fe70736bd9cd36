import Foundation

/// Reads JSON text (RFC 8259) into a value, keeping numbers as they are written.
struct ArchiveValueReader {
  private let bytes: [UInt8]
  private let maximumDepth: Int
  private var position = 0
  private var depth = 0

  init(_ text: Data, maximumDepth: Int) {
    bytes = Array(text)
    self.maximumDepth = maximumDepth
  }

  /// Reads the whole text as one value.
  mutating func document() throws(ArchiveError) -> ArchiveValue {
    let value = try value()
    skipBlanks()
    guard position == bytes.count else { throw unexpected() }
    return value
  }

  private mutating func value() throws(ArchiveError) -> ArchiveValue {
    skipBlanks()
    switch next {
    case UInt8(ascii: "{"): return try nested { (reader) throws(ArchiveError) in try reader.object() }
    case UInt8(ascii: "["): return try nested { (reader) throws(ArchiveError) in try reader.array() }
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return .number(try number())
    }
  }

  private mutating func nested(
    _ body: (inout Self) throws(ArchiveError) -> ArchiveValue
  ) throws(ArchiveError) -> ArchiveValue {
    depth += 1
    guard depth <= maximumDepth else { throw .tooDeep(limit: maximumDepth) }
    position += 1
    let value = try body(&self)
    depth -= 1
    return value
  }

  private mutating func object() throws(ArchiveError) -> ArchiveValue {
    var members: [String: ArchiveValue] = [:]
    skipBlanks()
    if skip(UInt8(ascii: "}")) { return .object(members) }
    repeat {
      skipBlanks()
      let key = try string()
      skipBlanks()
      guard skip(UInt8(ascii: ":")) else { throw unexpected() }
      members[key] = try value()
      skipBlanks()
    } while skip(UInt8(ascii: ","))
    guard skip(UInt8(ascii: "}")) else { throw unexpected() }
    return .object(members)
  }

  private mutating func array() throws(ArchiveError) -> ArchiveValue {
    var elements: [ArchiveValue] = []
    skipBlanks()
    if skip(UInt8(ascii: "]")) { return .array(elements) }
    repeat {
      elements.append(try value())
      skipBlanks()
    } while skip(UInt8(ascii: ","))
    guard skip(UInt8(ascii: "]")) else { throw unexpected() }
    return .array(elements)
  }

  private mutating func string() throws(ArchiveError) -> String {
    guard skip(UInt8(ascii: "\"")) else { throw unexpected() }
    var text: [UInt8] = []
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        guard let string = String(validating: text, as: UTF8.self) else { throw unexpected() }
        position += 1
        return string
      case UInt8(ascii: "\\"):
        position += 1
        text += try escaped().utf8
      case 0..<0x20: throw unexpected()
      default:
        text.append(byte)
        position += 1
      }
    }
    throw unexpected()
  }

  private mutating func escaped() throws(ArchiveError) -> String {
    let byte = next
    position += 1
    switch byte {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try unicode()
    default: throw unexpected()
    }
  }

  private mutating func unicode() throws(ArchiveError) -> String {
    var units = [try unit()]
    if UTF16.isLeadSurrogate(units[0]), skip(UInt8(ascii: "\\")) {
      guard skip(UInt8(ascii: "u")) else { throw unexpected() }
      units.append(try unit())
    }
    guard let text = String(validating: units, as: UTF16.self) else { throw unexpected() }
    return text
  }

  private mutating func unit() throws(ArchiveError) -> UInt16 {
    let digits = bytes[position..<min(position + 4, bytes.count)]
    guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw unexpected() }
    position += 4
    return unit
  }

  private mutating func number() throws(ArchiveError) -> ArchiveNumber {
    let start = position
    _ = skip(UInt8(ascii: "-"))
    if !skip(UInt8(ascii: "0")) { try digits() }
    if skip(UInt8(ascii: ".")) { try digits() }
    if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
      if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
      try digits()
    }
    return ArchiveNumber(checked: String(decoding: bytes[start..<position], as: UTF8.self))
  }

  private mutating func digits() throws(ArchiveError) {
    let start = position
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    guard position > start else { throw unexpected() }
  }

  private mutating func word(_ word: String, _ value: ArchiveValue) throws(ArchiveError) -> ArchiveValue {
    guard bytes[position...].starts(with: word.utf8) else { throw unexpected() }
    position += word.utf8.count
    return value
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skip(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    position += 1
    return true
  }

  private mutating func skipBlanks() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  private func unexpected() -> ArchiveError {
    .corrupt(reason: "its JSON text is broken at byte \(position)")
  }
}
