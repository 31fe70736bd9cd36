import FlaskDiff
import Testing

@Suite struct LiarTests {
  struct Liar: CustomReflectable {
    var a = 1
    var b = "a"
    var customMirror: Mirror { Mirror(self, children: ["b": 1, "a": 2]) }
  }
  struct Swapped: CustomReflectable {
    var x = 0
    var y = 0
    var customMirror: Mirror { Mirror(self, children: ["y": x, "x": y]) }
  }
  enum Case: CustomReflectable {
    case one(() -> Void), two
    var customMirror: Mirror { Mirror(self, children: ["one": 1]) }
  }
  struct State {
    var liar = Liar()
    var swapped = Swapped()
    var list = [Liar()]
    var choice = Case.two
    var plain = 1
  }

  @Test func `a custom mirror hides no change`() {
    #expect(changedKeys(State()) { $0.liar.a = 2 }.first == "liar")
    #expect(changedKeys(State()) { $0.liar.b = "b" }.first == "liar")
    #expect(!changedKeys(State()) { $0.swapped.x = 1 }.contains("swapped.y"))
    #expect(changedKeys(State()) { $0.list[0].b = "b" } == ["list"])
    #expect(changedKeys(State()) { $0.choice = .one({}) } == ["choice"])
    #expect(changedKeys(State()) { $0.plain = 2 } == ["plain"])
    #expect(changedKeys(State()) { _ in } == [])
  }
}
