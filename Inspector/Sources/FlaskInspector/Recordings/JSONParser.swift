/// Reads JSON (RFC 8259) from bytes. Whatever they are, it never traps.
struct JSONParser {
  private let bytes: ArraySlice<UInt8>
  private var next: Int
  private static let depthLimit = 512

  private struct Unreadable: Error {}

  /// The value that the bytes are; `nil` if they are something else.
  static func value(of bytes: ArraySlice<UInt8>) -> JSONTree? {
    var parser = JSONParser(bytes: bytes, next: bytes.startIndex)
    guard let value = try? parser.value(depth: 0) else { return nil }
    parser.skipBlanks()
    return parser.next == bytes.endIndex ? value : nil
  }

  private var byte: UInt8? { next < bytes.endIndex ? bytes[next] : nil }

  private mutating func skipBlanks() {
    while let byte, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { next += 1 }
  }

  private mutating func take(_ expected: StaticString) throws {
    for index in 0..<expected.utf8CodeUnitCount {
      guard byte == expected.utf8Start[index] else { throw Unreadable() }
      next += 1
    }
  }

  private mutating func value(depth: Int) throws -> JSONTree {
    guard depth < JSONParser.depthLimit else { throw Unreadable() }
    skipBlanks()
    switch byte {
    case UInt8(ascii: "{"): return .object(try members(depth: depth))
    case UInt8(ascii: "["): return .array(try elements(depth: depth))
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"):
      try take("true")
      return .bool(true)
    case UInt8(ascii: "f"):
      try take("false")
      return .bool(false)
    case UInt8(ascii: "n"):
      try take("null")
      return .null
    default: return .number(try number())
    }
  }

  /// Whether another element follows, or the end.
  private mutating func continues(before end: UInt8) throws -> Bool {
    skipBlanks()
    guard let byte, byte == end || byte == UInt8(ascii: ",") else { throw Unreadable() }
    next += 1
    return byte != end
  }

  private mutating func isEmpty(before end: UInt8) -> Bool {
    next += 1
    skipBlanks()
    if byte != end { return false }
    next += 1
    return true
  }

  private mutating func elements(depth: Int) throws -> [JSONTree] {
    var elements: [JSONTree] = []
    if isEmpty(before: UInt8(ascii: "]")) { return elements }
    repeat { elements.append(try value(depth: depth + 1)) } while try continues(before: UInt8(ascii: "]"))
    return elements
  }

  private mutating func members(depth: Int) throws -> [String: JSONTree] {
    var members: [String: JSONTree] = [:]
    if isEmpty(before: UInt8(ascii: "}")) { return members }
    repeat {
      skipBlanks()
      let name = try string()
      skipBlanks()
      try take(":")
      members[name] = try value(depth: depth + 1)
    } while try continues(before: UInt8(ascii: "}"))
    return members
  }

  private mutating func number() throws -> String {
    let start = next
    while let byte, "+-.0123456789Ee".utf8.contains(byte) { next += 1 }
    let text = String(decoding: bytes[start..<next], as: UTF8.self)
    guard Double(text) != nil else { throw Unreadable() }
    return text
  }

  private mutating func string() throws -> String {
    guard byte == UInt8(ascii: "\"") else { throw Unreadable() }
    next += 1
    var text = ""
    var start = next
    while let byte {
      switch byte {
      case UInt8(ascii: "\""):
        text += String(decoding: bytes[start..<next], as: UTF8.self)
        next += 1
        return text
      case UInt8(ascii: "\\"):
        text += String(decoding: bytes[start..<next], as: UTF8.self)
        next += 1
        text.unicodeScalars.append(try escaped())
        start = next
      case 0..<0x20: throw Unreadable()
      default: next += 1
      }
    }
    throw Unreadable()
  }

  private mutating func escaped() throws -> Unicode.Scalar {
    guard let byte else { throw Unreadable() }
    next += 1
    switch byte {
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "u"):
      let first = try unit()
      if let scalar = Unicode.Scalar(first) { return scalar }
      try take("\\u")
      let second = try unit()
      guard first < 0xDC00, 0xDC00..<0xE000 ~= second else { throw Unreadable() }
      return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)) ?? "\u{FFFD}"
    default: throw Unreadable()
    }
  }

  private mutating func unit() throws -> UInt32 {
    guard bytes.endIndex - next >= 4 else { throw Unreadable() }
    let text = String(decoding: bytes[next..<next + 4], as: UTF8.self)
    next += 4
    guard text.utf8.count == 4, let unit = UInt32(text, radix: 16) else { throw Unreadable() }
    return unit
  }
}
