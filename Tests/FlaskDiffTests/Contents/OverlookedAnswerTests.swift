import FlaskDiff
import Testing

/// Answers that were right although no test had asked for them.
@Suite struct OverlookedAnswerTests {
  struct Item: HidesUnderscored { var name = "a"; var _cache = 0 }
  struct Nest: HidesUnderscored { var foo = "bar"; var n = 1; var _hidden = 1; var deep = Deep() }
  struct Deep { var x = 1 }
  @propertyWrapper struct Tagged { var wrappedValue: Int }
  struct WithWrapper { @Tagged var level = 1; var n = 1 }
  struct State {
    var numbered = [1: Item(), 2: Item()]
    var named = ["a": Item(), "b": Item()]
    var maybe: Nest? = Nest()
    var table = ["k": Nest()]
    var wrapper: WithWrapper? = WithWrapper()
    var n = 1
  }
  struct Reflecting: CustomReflectable {
    var a = 1
    var b = "a"
    var customMirror: Mirror { Mirror(self, children: ["c": 1]) }
  }
  enum ReflectingChoice: CustomReflectable {
    case number(Int, () -> Void), none
    var customMirror: Mirror { Mirror(self, children: ["same": 1]) }
  }

  @Test func `dictionaries of one size with other keys differ`() {
    #expect(changedKeys(State()) { $0.numbered = [1: Item(), 3: Item()] } == ["numbered"])
    #expect(
      changedKeys(State()) { $0.named = ["a": Item(), "c": Item()] }
        == ["named", "named.b", "named.b.name", "named.c", "named.c.name"]
    )
    #expect(changedKeys(State()) { $0.numbered = [2: Item(), 1: Item()] } == [])
  }

  @Test func `keys below an optional and a dictionary lead to their values`() {
    var new = State()
    new.maybe?.deep.x = 2
    new.table["k"]?.foo = "b"
    let changes = StateDiff.changes(from: State(), to: new)
    #expect(changes.keys == ["maybe", "maybe.deep", "maybe.deep.x", "table", "table.k", "table.k.foo"])
    #expect(changes.newValue("maybe.deep.x") == 2)
    #expect(changes.oldValue("maybe.deep.x") == 1)
    #expect(changes.newValue("maybe.n") == 1)
    #expect(changes.newValue("maybe.foo") == "bar")
    #expect(changes.newValue("table.k.foo") == "b")
    #expect(changes.newValue("table.k.n") == 1)
    #expect(changes.newValue("maybe._hidden") == Int?.none)
    #expect(changes.newValue("maybe.none") == Int?.none)
    #expect(!changes.contains("maybe.n"))
    #expect(!changes.contains("maybe.foo"))
    #expect(changes.contains("maybe.deep"))
  }

  @Test func `what appears and disappears below an optional has changed`() {
    var new = State()
    new.maybe = nil
    let changes = StateDiff.changes(from: State(), to: new)
    #expect(changes.contains("maybe.n"))
    #expect(!changes.contains("maybe.none"))
    #expect(changes.newValue("maybe.n") == Int?.none)
    #expect(changes.oldValue("maybe.n") == 1)
    let back = StateDiff.changes(from: new, to: State())
    #expect(back.contains("maybe.n"))
    #expect(back.newValue("maybe.n") == 1)
  }

  @Test func `a wrapped property below an optional is found by its name`() {
    var new = State()
    new.wrapper?.level = 5
    new.wrapper?.n = 2
    let changes = StateDiff.changes(from: State(), to: new)
    #expect(changes.keys == ["wrapper", "wrapper.level", "wrapper.n"])
    #expect(changes.contains("wrapper.level"))
    #expect(changes.newValue("wrapper.level") == 5)
  }

  @Test func `a path is ruled out by the type, not by the value`() {
    let layout = StateLayout.of(State.self)
    #expect(layout.lookup("maybe.deep.x") == .nested(under: 2, rest: "deep.x"))
    #expect(layout.lookup("maybe.deep.y") == .unknown)
    #expect(layout.lookup("maybe.n.x") == .unknown)
    #expect(layout.lookup("maybe._hidden") == .unknown)
    #expect(layout.lookup("table.any.thing") == .nested(under: 3, rest: "any.thing"))
    #expect(layout.lookup("numbered.1") == .unknown)
  }

  @Test func `a type that describes itself hides no change`() {
    #expect(!StateDiff.areEqual([Reflecting()], [Reflecting(a: 2)]))
    #expect(!StateDiff.areEqual([Reflecting()], [Reflecting(b: "b")]))
    #expect(!StateDiff.areEqual(ReflectingChoice.number(1, {}), .number(2, {})))
    #expect(!StateDiff.areEqual(ReflectingChoice.number(1, {}), .none))
    #expect(StateDiff.areEqual(ReflectingChoice.none, .none))
  }

  struct Loose: HidesUnderscored, Equatable {
    var n = 1
    var _ignored = 1
  }
  struct NaNInside: Equatable { var list = [1.0]; var maybe: Double? = nil }
  enum Payload: Equatable { case number(Double), loose(Loose) }

  @Test func `an == that sees too much is not believed`() {
    #expect(StateDiff.areEqual([Loose()], [Loose(_ignored: 2)]))
    #expect(StateDiff.areEqual(Optional(Loose()), Loose(_ignored: 2)))
    #expect(StateDiff.areEqual(["k": [Loose()]], ["k": [Loose(_ignored: 2)]]))
    #expect(!StateDiff.areEqual([Loose()], [Loose(n: 2)]))
    #expect(StateDiff.areEqual(Payload.loose(Loose()), .loose(Loose(_ignored: 2))))
    #expect(!StateDiff.areEqual(Payload.loose(Loose()), .loose(Loose(n: 2))))
    let a = NaNInside(list: [Double(nan: 1, signaling: false)], maybe: Double(nan: 1, signaling: false))
    let b = NaNInside(list: [Double(nan: 2, signaling: false)], maybe: Double(nan: 2, signaling: false))
    #expect(StateDiff.areEqual([a], [b]))
    #expect(!StateDiff.areEqual([a], [NaNInside()]))
  }

  struct Branch: Equatable { var value = 0; var children: [Branch] = [] }

  @Test func `below the deepest level == decides, where there is one`() {
    func chain(_ value: Int) -> Branch {
      var branch = Branch(value: value)
      for _ in 0..<100 { branch = Branch(children: [branch]) }
      return branch
    }
    #expect(StateDiff.areEqual(chain(1), chain(1)))
    #expect(!StateDiff.areEqual(chain(1), chain(2)))
  }
}
