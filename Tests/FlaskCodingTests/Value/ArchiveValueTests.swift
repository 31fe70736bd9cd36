@testable import FlaskCore
import Foundation
import Testing

@testable import FlaskCoding

@Suite struct ArchiveValueTests {
  @Test func `Text that is read is written as it was`() throws {
    let text =
      #"{"a":[1,-2.50e+10,0.1,18446744073709551616],"b":{"c":null,"d":[],"e":{}},"f":true,"g":"x\"\\/é🧪"}"#
    #expect(String(decoding: try value(text).text, as: UTF8.self) == text)
  }

  @Test func `Keys are sorted when written`() throws {
    #expect(
      String(decoding: try value(#" { "b" : 1 , "a" : [ 2 ] } "#).text, as: UTF8.self) == #"{"a":[2],"b":1}"#
    )
  }

  @Test func `Escapes are understood`() throws {
    #expect(try value(#""\"\\\/\b\f\n\r\t\u00e9\ud83e\uddea""#).string == "\"\\/\u{8}\u{C}\n\r\té🧪")
  }

  @Test func `Control characters are escaped when written`() {
    #expect(ArchiveValue.string("\u{1}\n\u{1F}").text == Data(#""\u0001\n\u001f""#.utf8))
  }

  @Test(arguments: [
    "", " ", "{", "[", "[1", "[1,]", "{\"a\"}", "{\"a\":}", "{a:1}", "{\"a\":1,}", "01", "-", "1.", ".5",
    "1e", "+1",
    "tru", "nulll", "\"", "\"\\x\"", "\"\\u12\"", "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\n\"", "1 2",
    "[1 2]", "NaN",
  ])
  func `Text that is not JSON is refused`(text: String) {
    #expect(throws: ArchiveError.self) { try value(text) }
  }

  @Test func `Bytes that are not UTF-8 are refused`() {
    #expect(throws: ArchiveError.corrupt(reason: "its JSON text is broken at byte 2")) {
      try ArchiveValue(text: Data([0x22, 0xFF, 0x22]), maximumDepth: 4)
    }
  }

  @Test func `Text nested deeper than allowed is refused`() throws {
    #expect(try value("[[[[]]]]") == [[[[]]]])
    #expect(throws: ArchiveError.tooDeep(limit: 4)) { try value("[[[[[]]]]]") }
  }

  @Test func `A migration can look and change`() {
    var archive: ArchiveValue = [
      "name": "Ada", "visits": 3, "tags": ["a"], "ratio": 0.5, "on": true, "no": nil,
    ]
    archive.rename("name", to: "title")
    archive.rename("missing", to: "title")
    archive["visits"] = nil
    archive["tags"]?.array?.append("b")
    archive["ratio"] = archive["ratio"]?.double.map { ArchiveValue($0 * 2) }
    #expect(archive == ["title": "Ada", "tags": ["a", "b"], "ratio": 1.0, "on": true, "no": nil])
  }

  @Test func `Asking the wrong question answers nil`() {
    let text: ArchiveValue = "x"
    #expect(text["key"] == nil)
    #expect(text.int == nil)
    #expect(text.double == nil)
    #expect(text.bool == nil)
    #expect(text.array == nil)
    #expect(text.object == nil)
    #expect(ArchiveValue.null.string == nil)
  }

  @Test func `Numbers that are not finite are the texts archives keep for them`() {
    #expect(ArchiveValue(.nan) == "NaN")
    #expect(ArchiveValue(.infinity) == "Infinity")
    #expect(ArchiveValue(-.infinity) == "-Infinity")
  }

  private func value(_ text: String) throws -> ArchiveValue {
    try ArchiveValue(text: Data(text.utf8), maximumDepth: 4)
  }
}
