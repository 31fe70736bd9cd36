/// Reads JSON text (RFC 8259) in UTF-8, token by token, and checks its grammar.
///
/// The code that uses the scanner builds a value from the tokens. It keeps a list of the open levels in place of
/// recursion, so that no text can overflow a stack. Numbers are passed as text, as they are written.
package struct JSONScanner {
  /// The tokens that are allowed next.
  private enum Expectation {
    case value, valueOrEnd, keyOrEnd, commaOrEnd
  }

  private let bytes: [UInt8]
  private let maximumDepth: Int
  private var expectation = Expectation.value

  /// For each open level: `true` for an object, `false` for an array.
  private var levels: [Bool] = []

  /// The number of bytes that have been read.
  package private(set) var offset = 0

  /// Creates a scanner at the beginning of a text.
  ///
  /// - Parameters:
  ///   - text: the bytes of the text.
  ///   - maximumDepth: how deep arrays and objects may be nested.
  package init(_ text: [UInt8], maximumDepth: Int = .max) {
    bytes = text
    self.maximumDepth = maximumDepth
  }

  /// The next token, or `nil` at the end of the text. When `nil` is returned, the whole text has been checked.
  ///
  /// - Throws: `JSONError` with the offset of the first byte that the grammar does not allow.
  /// - Complexity: O(*n*) in the bytes of the token.
  package mutating func next() throws(JSONError) -> JSONToken? {
    skipSpace()
    if expectation != .value, let end = end() { return end }
    switch expectation {
    case .value, .valueOrEnd: return try value()
    case .keyOrEnd: return try key()
    case .commaOrEnd:
      guard let isObject = levels.last else {
        guard offset == bytes.count else { throw broken("text after the end") }
        return nil
      }
      guard skip(UInt8(ascii: ",")) else { throw broken("expected ','") }
      skipSpace()
      return isObject ? try key() : try value()
    }
  }

  private mutating func value() throws(JSONError) -> JSONToken {
    expectation = .commaOrEnd
    switch peek {
    case UInt8(ascii: "{"): return try begin(isObject: true)
    case UInt8(ascii: "["): return try begin(isObject: false)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return .number(try number())
    }
  }

  private mutating func begin(isObject: Bool) throws(JSONError) -> JSONToken {
    guard levels.count < maximumDepth else { throw .tooDeep(limit: maximumDepth) }
    offset += 1
    levels.append(isObject)
    expectation = isObject ? .keyOrEnd : .valueOrEnd
    return isObject ? .beginObject : .beginArray
  }

  /// Reads the end of the innermost array or object, if it comes next in the text.
  private mutating func end() -> JSONToken? {
    guard let isObject = levels.last, skip(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
      return nil
    }
    levels.removeLast()
    expectation = .commaOrEnd
    return isObject ? .endObject : .endArray
  }

  private mutating func key() throws(JSONError) -> JSONToken {
    let key = try string()
    skipSpace()
    guard skip(UInt8(ascii: ":")) else { throw broken("expected ':'") }
    expectation = .value
    return .key(key)
  }

  // MARK: Texts

  private mutating func string() throws(JSONError) -> String {
    guard skip(UInt8(ascii: "\"")) else { throw broken("expected '\"'") }
    var text: [UInt8] = []
    var start = offset
    while let byte = peek {
      switch byte {
      case UInt8(ascii: "\""):
        // Without escapes the bytes of the text are its content.
        let part = bytes[start..<offset]
        let string =
          text.isEmpty
          ? String(validating: part, as: UTF8.self) : String(validating: text + part, as: UTF8.self)
        guard let string else { throw broken("not UTF-8") }
        offset += 1
        return string
      case UInt8(ascii: "\\"):
        text += bytes[start..<offset]
        offset += 1
        text += try escaped().utf8
        start = offset
      case 0..<0x20: throw broken("control character in a text")
      default: offset += 1
      }
    }
    throw broken("text without end")
  }

  private mutating func escaped() throws(JSONError) -> String {
    guard let byte = peek else { throw broken("text without end") }
    offset += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return String(Unicode.Scalar(byte))
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try escapedScalar()
    default: throw broken("unknown escape")
    }
  }

  private mutating func escapedScalar() throws(JSONError) -> String {
    var units = [try codeUnit()]
    if UTF16.isLeadSurrogate(units[0]), skip(UInt8(ascii: "\\")), skip(UInt8(ascii: "u")) {
      units.append(try codeUnit())
    }
    guard let text = String(validating: units, as: UTF16.self) else { throw broken("half a surrogate pair") }
    return text
  }

  private mutating func codeUnit() throws(JSONError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = peek.flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }) else {
        throw broken("not four hexadecimal digits")
      }
      unit = unit << 4 | UInt16(digit)
      offset += 1
    }
    return unit
  }

  // MARK: Numbers and words

  private mutating func number() throws(JSONError) -> String {
    let start = offset
    _ = skip(UInt8(ascii: "-"))
    if !skip(UInt8(ascii: "0")) { try digits() }
    if skip(UInt8(ascii: ".")) { try digits() }
    if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
      if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
      try digits()
    }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  private mutating func digits() throws(JSONError) {
    let start = offset
    while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { offset += 1 }
    guard offset > start else {
      throw broken(start == bytes.count ? "end of the text" : "unexpected character")
    }
  }

  private mutating func word(_ word: String, _ token: JSONToken) throws(JSONError) -> JSONToken {
    guard bytes[offset...].starts(with: word.utf8) else { throw broken("unexpected word") }
    offset += word.utf8.count
    return token
  }

  // MARK: Bytes

  private var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private mutating func skip(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    offset += 1
    return true
  }

  private mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { offset += 1 }
  }

  private func broken(_ reason: String) -> JSONError { .broken(reason, offset: offset) }
}
