import FlaskDiff
import Testing

@Suite struct EnumKeyTests {
  struct Reason: Equatable { var text = "none", code = 0 }
  enum Phase {
    case idle
    case loading(Int)
    case failed(reason: String, code: Int)
    case lost(Reason)
    case named(reason: String)
    indirect case again(Phase)
    case odd(Int.Type?)
  }
  enum Plain { case loading(Int), done }
  enum Deep: Equatable { case one(Reason), two(Reason, Reason), none }
  struct State {
    var deep = Deep.none
    var maybe: Deep?
    var list: [String: Deep] = [:]
  }

  private func layout<State>(of example: State) -> StateLayout { StateLayout.of(State.self) }

  private func changes(_ old: Plain, _ new: Plain) -> StateChanges<Plain> {
    StateDiff.changes(from: old, to: new)
  }

  @Test func `a change of what a case holds is reported by the name of the case`() {
    #expect(changes(.loading(1), .loading(2)).keys == ["loading"])
    #expect(changes(.loading(1), .loading(2)).description == "- loading: 1\n+ loading: 2")
    #expect(changes(.loading(1), .loading(1)).keys == [])
    let value: Int? = changes(.loading(1), .loading(2)).newValue("loading")
    #expect(value == 2)
  }

  @Test func `a change of case reports what was removed and what has come`() {
    #expect(changes(.done, .loading(2)).description == "+ loading: 2")
    #expect(changes(.loading(2), .done).description == "- loading: 2")
    enum Two { case a, b }
    #expect(StateDiff.changes(from: Two.a, to: Two.b).description == "- a\n+ b")
  }

  @Test func `what a case holds is looked into by label, by number and by property`() {
    enum Phase { case failed(reason: String, code: Int), lost(Reason), pair(Int, Int), named(reason: String) }
    func keys(_ old: Phase, _ new: Phase) -> [String] { StateDiff.changes(from: old, to: new).keys }
    #expect(
      keys(.failed(reason: "a", code: 1), .failed(reason: "b", code: 1)) == ["failed", "failed.reason"]
    )
    #expect(keys(.lost(Reason()), .lost(Reason(code: 1))) == ["lost", "lost.code"])
    #expect(keys(.pair(1, 2), .pair(1, 3)) == ["pair", "pair.1"])
    #expect(keys(.named(reason: "a"), .named(reason: "b")) == ["named", "named.reason"])
    let change = StateDiff.changes(
      from: Phase.failed(reason: "a", code: 1),
      to: .failed(reason: "b", code: 1)
    )
    #expect(change.description == "- failed.reason: \"a\"\n+ failed.reason: \"b\"")
    #expect(change.contains("failed.reason"))
    #expect(!change.contains("failed.code"))
    #expect(!change.contains("lost.code"))
  }

  @Test func `an enum among the properties is looked into when it is asked for`() {
    var new = State()
    new.deep = .one(Reason(code: 1))
    new.maybe = .two(Reason(), Reason())
    new.list["a"] = .one(Reason())
    let change = StateDiff.changes(from: State(), to: new)
    #expect(change.keys == ["deep", "maybe", "list", "list.a"])
    #expect(change.contains("deep.one.code"))
    #expect(change.contains("deep.one"))
    #expect(!change.contains("deep.two"))
    #expect(change.contains("maybe.two.1.text"))
    #expect(change.contains("list.a.one.text"))
    let code: Int? = change.newValue("deep.one.code")
    #expect(code == 1)
    let old: Int? = change.oldValue("deep.one.code")
    #expect(old == nil)
  }

  @Test func `only what a case can hold is a key`() {
    let layout = layout(of: Deep.none)
    #expect(layout.lookup("one.code") == .nested(under: 0, rest: "one.code"))
    #expect(layout.lookup("one.cuode") == .unknown)
    #expect(layout.lookup("none") == .unknown)
    #expect(layout.lookup("two.1.text") == .nested(under: 0, rest: "two.1.text"))
    #expect(layout.lookup("two.2.text") == .unknown)
    // What holds a metatype somewhere can't be read.
    #expect(self.layout(of: Phase.idle).lookup("loading") == .unknown)
  }

  @Test func `generic and recursive enums are looked into`() {
    indirect enum Tree { case leaf(Int), node(left: Tree, right: Tree) }
    let change = StateDiff.changes(
      from: Tree.node(left: .leaf(1), right: .leaf(2)),
      to: .node(left: .leaf(1), right: .leaf(3))
    )
    #expect(change.contains("node.right.leaf"))
    #expect(!change.contains("node.left"))
    #expect(StateDiff.changes(from: Result<Int, Never>.success(1), to: .success(2)).contains("success"))
  }
}
