import Foundation
import Testing

@testable import FlaskInspector

@Suite struct PageLineTests {
  @Test func `what is special to HTML is escaped`() {
    let text = PageLine.text(["</script><!--&", "\u{2028}\u{2029}é🧪", "a\"b\\c\nd\u{1}/"])
    let expected =
      #"["\u003c/script\u003e\u003c!--\u0026","\u2028\u2029é🧪","a\"b\\c\nd\u0001/"]"#
    #expect(text == expected)
  }

  @Test func `a list holds different things, and null for none`() {
    var list = PageList()
    list.add("a")
    list.add(nil as String?)
    list.add(-1)
    #expect(PageLine.text(list) == #"["a",null,-1]"#)
    #expect(PageLine.text(PageList()) == "[]")
    let keys = [
      PageKey(path: "a"), PageKey(path: "b", old: "1"), PageKey(path: "c", new: "2"),
      PageKey(path: "d", old: "1", new: "2", isRedacted: true),
    ]
    #expect(PageLine.text(keys) == #"[["a"],["b","1",null],["c",null,"2"],["d",null,null,1]]"#)
  }

  @Test func `every character comes back from another reader, and a line has no break`() throws {
    let all = String(String.UnicodeScalarView((0..<0x3000).compactMap(Unicode.Scalar.init)))
    let text = PageLine.text([all])
    let read = try JSONDecoder().decode([String].self, from: Data(text.utf8))
    #expect(read.first.map { Array($0.unicodeScalars) } == Array(all.unicodeScalars))
    #expect(!text.unicodeScalars.contains { "\n\r\u{2028}\u{2029}<>&".unicodeScalars.contains($0) })
  }
}
