import Testing

@testable import FlaskHistory

@Suite struct ValueTextTests {
  private indirect enum Chain {
    case end
    case link(Chain)
  }

  private struct Nested { var inner: [Nested] = [] }

  private let text = ValueText(rules: RedactionRules([]))

  @Test func `payloads are written down to a depth of six`() {
    #expect(text.text(of: Chain.link(.link(.end))) == "link(link(end))")
    let deep = (0..<100).reduce(Chain.end) { chain, _ in .link(chain) }
    #expect(text.text(of: deep) == "link(link(link(link(link(link(link(…)))))))")
  }

  @Test func `properties are written down to a depth of six`() {
    let deep = (0..<100).reduce(Nested()) { nested, _ in Nested(inner: [nested]) }
    let text = text.text(of: deep)
    #expect(text.contains("…"))
    #expect(text.count < 200)
  }

  private struct Hidden: Redacted, Hashable { var text = "hunter2" }
  private struct Holder: Hashable {
    var name = "a"
    var hidden = Hidden()
  }

  @Test func `a secret in an AnyHashable is not written`() {
    let text = ValueText(rules: RedactionRules([]))
    for value in [AnyHashable(Hidden()), AnyHashable(Holder())] {
      #expect(!text.text(of: value).contains("hunter2"))
      #expect(!text.text(of: [value: 1]).contains("hunter2"))
      #expect(!text.text(of: Optional(value) as Any).contains("hunter2"))
    }
    #expect(text.text(of: AnyHashable("a")) == #""a""#)
  }
}
