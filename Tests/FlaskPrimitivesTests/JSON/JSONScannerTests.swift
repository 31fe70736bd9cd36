import FlaskPrimitives
import Testing

@Suite struct JSONScannerTests {
  @Test func `A text is its tokens`() throws {
    #expect(
      try tokens(" { \"a\" : [ 1 , -0.50e+2 ,true,false , null ] ,\r\n\t\"b\":{},\"c\":[],\"d\":\"x\" } ")
        == [
          .beginObject, .key("a"), .beginArray, .number("1"), .number("-0.50e+2"), .bool(true), .bool(false),
          .null,
          .endArray, .key("b"), .beginObject, .endObject, .key("c"), .beginArray, .endArray, .key("d"),
          .string("x"),
          .endObject,
        ]
    )
  }

  @Test(arguments: [
    "0", "-0", "10", "1.50", "1e5", "1E-05", "123456789012345678901234567890",
    "0.1000000000000000055511151231257827",
  ])
  func `Numbers keep every digit`(literal: String) throws {
    #expect(try tokens(literal) == [.number(literal)])
  }

  @Test func `Escapes are understood`() throws {
    #expect(
      try tokens(#""a\"\\\/\b\f\n\r\t\u00e9\uD83e\uddea\u0000z""#) == [.string("a\"\\/\u{8}\u{C}\n\r\té🧪\0z")]
    )
    #expect(try tokens(#""é🧪""#) == [.string("é🧪")])
    #expect(try tokens(#""""#) == [.string("")])
  }

  @Test(arguments: [
    ("", 0), (" ", 1), ("{", 1), ("[", 1), ("[1", 2), ("[1,", 3), ("[1,]", 3), ("[,1]", 1), ("[1 2]", 3),
    ("[1}", 2),
    ("{]", 1), ("{,}", 1), (#"{"a"}"#, 4), (#"{"a":}"#, 5), (#"{"a":1,}"#, 7), (#"{"a":1 "b":2}"#, 7),
    ("{a:1}", 1),
    ("{1:1}", 1), ("]", 0), ("}", 0), (":", 0), ("01", 1), ("-", 1), ("+1", 0), ("1.", 2), (".5", 0),
    ("1e", 2),
    ("1e+", 3), ("NaN", 0), ("tru", 0), ("nulll", 4), ("1 2", 2), ("{} {}", 3), ("[]]", 2), ("\"", 1),
    ("\"a", 2),
    ("\"\\", 2), ("\"\\x\"", 3), ("\"\\u12\"", 5), ("\"\\u12g4\"", 5), ("\"\\ud800\"", 7),
    ("\"\\ud800\\n\"", 8),
    ("\"\\ud800\\u0041\"", 13), ("\"\\udc00\"", 7), ("\"\n\"", 1), ("\"\u{1F}\"", 1), ("\u{FEFF}{}", 0),
    ("{}\0", 2),
  ])
  func `A text that is not JSON is an error that says where`(text: String, offset: Int) {
    #expect(throws: JSONError.self) { try tokens(text) }
    guard case .broken(_, offset) = error(of: Array(text.utf8)) else {
      Issue.record("\(text) gave \(error(of: Array(text.utf8)).map(\.description) ?? "no error")")
      return
    }
  }

  @Test(
    arguments: [[0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0x5C, 0x6E, 0xED, 0xA0, 0x80, 0x22]]
      as [[UInt8]]
  )
  func `Bytes that are not UTF-8 are an error`(bytes: [UInt8]) {
    #expect(error(of: bytes) == .broken("not UTF-8", offset: bytes.count - 1))
  }

  @Test func `The depth is limited, and takes no stack`() throws {
    #expect(try tokens("[[{}]]", maximumDepth: 3).count == 6)
    #expect(throws: JSONError.tooDeep(limit: 2)) { try tokens("[[{}]]", maximumDepth: 2) }
    #expect(try tokens("[[],[],{}]", maximumDepth: 2).count == 8)
    let levels = 100_000
    let text = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    #expect(try tokens(text).count == 2 * levels)
  }

  @Test func `An error reads as a sentence`() {
    #expect(error(of: Array("[1 2]".utf8))?.description == "expected ',' at byte 3 of the text")
    #expect(JSONError.tooDeep(limit: 4).description == "nested deeper than 4 levels")
  }

  @Test(arguments: [
    ("", 0), ("1", 0), ("{}", 1), ("[[],[]]", 2), (#"{"a":[{"b":1}]}"#, 3), (#"["[[[", "\"[[", "\\"]"#, 1),
    ("[[[", 3), ("]]][", 0), (#""[[\"#, 0),
  ])
  func `The depth of a text is reported without reading it`(text: String, depth: Int) {
    #expect(JSONText.depth(of: text.utf8) == max(0, depth))
  }

  @Test func `A text is written in quotes`() {
    var bytes = Array("x".utf8)
    JSONText.append("a\"\\/\n\r\u{1}\u{1F}é🧪", to: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == #"x"a\"\\/\n\u000d\u0001\u001fé🧪""#)
  }

  private func tokens(_ text: String, maximumDepth: Int = .max) throws(JSONError) -> [JSONToken] {
    try tokens(Array(text.utf8), maximumDepth: maximumDepth)
  }

  private func tokens(_ bytes: [UInt8], maximumDepth: Int = .max) throws(JSONError) -> [JSONToken] {
    var scanner = JSONScanner(bytes, maximumDepth: maximumDepth)
    var tokens: [JSONToken] = []
    while let token = try scanner.next() { tokens.append(token) }
    return tokens
  }

  private func error(of bytes: [UInt8]) -> JSONError? {
    do throws(JSONError) {
      _ = try tokens(bytes)
      return nil
    } catch {
      return error
    }
  }
}
