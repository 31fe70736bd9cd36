/// Goes through the bytes of a JSON text, one token after the other.
struct JSONTextScanner {
  private let bytes: [UInt8]
  /// How many bytes have been read.
  private(set) var offset = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  /// Reads a punctuation mark, if it is what comes next, and the white space before it.
  mutating func skip(_ byte: UInt8) -> Bool {
    skipSpace()
    guard peek == byte else { return false }
    offset += 1
    return true
  }

  /// Reads a punctuation mark that must come next.
  mutating func expect(_ byte: UInt8) throws(JSONTextError) {
    guard skip(byte) else { throw error("expected '\(Unicode.Scalar(byte))'") }
  }

  /// Makes sure that nothing is left.
  mutating func expectEnd() throws(JSONTextError) {
    skipSpace()
    guard offset == bytes.count else { throw error("text after the end") }
  }

  /// Reads a text, number, truth value or null.
  mutating func leaf() throws(JSONTextError) -> DictValue {
    skipSpace()
    switch peek {
    case UInt8(ascii: "\""): return .string(try text())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  /// Reads a text in quotes.
  mutating func text() throws(JSONTextError) -> String {
    try expect(UInt8(ascii: "\""))
    var decoded: [UInt8] = []
    while let byte = peek {
      offset += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: decoded, as: UTF8.self)
      case UInt8(ascii: "\\"): decoded.append(contentsOf: try escape().utf8)
      case 0..<0x20: throw error("control character in a text")
      default: decoded.append(byte)
      }
    }
    throw error("text without end")
  }

  private mutating func escape() throws(JSONTextError) -> String {
    guard let byte = peek else { throw error("text without end") }
    offset += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return String(Unicode.Scalar(byte))
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try escapedScalar()
    default: throw error("unknown escape")
    }
  }

  private mutating func escapedScalar() throws(JSONTextError) -> String {
    let first = try codeUnit()
    if let scalar = Unicode.Scalar(first) { return String(scalar) }
    guard first < 0xDC00, peek == UInt8(ascii: "\\") else { throw error("half a surrogate pair") }
    offset += 1
    guard peek == UInt8(ascii: "u") else { throw error("half a surrogate pair") }
    offset += 1
    let second = try codeUnit()
    guard (0xDC00...0xDFFF).contains(second) else { throw error("half a surrogate pair") }
    let value = 0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
    return Unicode.Scalar(value).map { String($0) } ?? ""
  }

  private mutating func codeUnit() throws(JSONTextError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = peek.flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }) else {
        throw error("not four hexadecimal digits")
      }
      unit = unit << 4 | UInt16(digit)
      offset += 1
    }
    return unit
  }

  private mutating func word(_ word: String, _ value: DictValue) throws(JSONTextError) -> DictValue {
    guard bytes[offset...].starts(with: word.utf8) else { throw error("unexpected word") }
    offset += word.utf8.count
    return value
  }

  /// A number without fraction and exponent is an integer if it fits into one.
  private mutating func number() throws(JSONTextError) -> DictValue {
    let start = offset
    skipIf(UInt8(ascii: "-"))
    if !skipIf(UInt8(ascii: "0")) { try digits() }
    var isWhole = true
    if skipIf(UInt8(ascii: ".")) {
      isWhole = false
      try digits()
    }
    if skipIf(UInt8(ascii: "e")) || skipIf(UInt8(ascii: "E")) {
      isWhole = false
      if !skipIf(UInt8(ascii: "+")) { skipIf(UInt8(ascii: "-")) }
      try digits()
    }
    let text = String(decoding: bytes[start..<offset], as: UTF8.self)
    if isWhole, let integer = Int64(text) { return .integer(integer) }
    if isWhole, let integer = UInt64(text) { return .unsigned(integer) }
    guard let number = Double(text), number.isFinite else { throw error("number out of range") }
    return .double(number)
  }

  private mutating func digits() throws(JSONTextError) {
    let start = offset
    while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { offset += 1 }
    guard offset > start else {
      throw error(start == bytes.count ? "end of the text" : "unexpected character")
    }
  }

  @discardableResult
  private mutating func skipIf(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    offset += 1
    return true
  }

  private mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { offset += 1 }
  }

  private var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private func error(_ reason: String) -> JSONTextError { JSONTextError(reason: reason, offset: offset) }
}
