import Testing

@testable import FlaskHistory

@Suite struct StretchTests {
  private func stretches(_ old: String, _ new: String) -> [String] {
    let (old, new) = (Array(old), Array(new))
    return Stretch.all(old.count, new.count) { old[$0] == new[$1] }
      .map { "\(String(old[$0.old]))→\(String(new[$0.new]))" }
  }

  @Test func `edits beside each other are one stretch, others are not`() {
    #expect(stretches("abc", "abc") == [])
    #expect(stretches("", "abc") == ["→abc"])
    #expect(stretches("abc", "") == ["abc→"])
    #expect(stretches("abcd", "abXd") == ["c→X"])
    #expect(stretches("abcdef", "aXcdYf") == ["b→X", "e→Y"])
    #expect(stretches("abcdef", "acdeXYf") == ["b→", "→XY"])
    #expect(stretches("abcde", "aXYe") == ["bcd→XY"])
  }

  @Test func `what differs by more edits than are looked for is one stretch`() {
    let old = String(repeating: "ab", count: 20)
    #expect(stretches("-" + old + "-", "-" + String(old.map { $0 == "b" ? "c" : $0 }) + "-").count == 1)
  }
}
