import Foundation
import Testing

@testable import FlaskInspector

@Suite struct JSONTextTests {
  @Test func `what is special to JSON or HTML is escaped`() {
    var json = JSONText()
    json.array { json in
      json.value("a\"b\\c\nd\re\tf\u{1}\u{7F}")
      json.value("</script><!--&")
      json.value("\u{2028}\u{2029}é🧪")
      json.value(nil)
      json.value(-1)
    }
    let expected =
      #"["a\"b\\c\nd\re\tf\u0001\u007f","\u003c/script\u003e\u003c!--\u0026","\u2028\u2029é🧪",null,-1]"#
    #expect(json.text == expected)
  }

  @Test func `objects and arrays have their commas`() {
    var json = JSONText()
    json.object { json in
      json.member("a", 1)
      json.member("b", nil as String?)
      json.name("c")
      json.array { json in
        json.array { _ in }
        json.object { json in json.member("d", "") }
      }
      json.member("e", "f")
    }
    #expect(json.text == #"{"a":1,"c":[[],{"d":""}],"e":"f"}"#)
  }

  @Test func `every character comes back from another reader`() throws {
    let all = String(String.UnicodeScalarView((0..<0x3000).compactMap(Unicode.Scalar.init)))
    var json = JSONText()
    json.array { $0.value(all) }
    let read = try JSONDecoder().decode([String].self, from: Data(json.text.utf8))
    #expect(read.first.map { Array($0.unicodeScalars) } == Array(all.unicodeScalars))
    #expect(!json.text.contains("<"))
  }
}
