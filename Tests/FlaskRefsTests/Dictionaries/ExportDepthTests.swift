import FlaskRefs
import Testing

@Suite struct ExportDepthTests {
  @Test func `lists in lists are arrays sixteen levels deep`() {
    var lists: [Any] = []
    for _ in 1..<30 { lists = [lists] }
    var value: Any? = FlaskDictRef(["k": lists])["k"]
    var depth = 0
    while let list = value as? [Any] {
      depth += 1
      value = list.first
    }
    #expect(depth == 16)
  }
}
