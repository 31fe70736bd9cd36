import FlaskDiff
import Testing

@Suite struct StateChangesTests {
  struct Nest: Equatable { var foo = "bar"; var n = 1 }
  struct Info: Equatable { var nest = Nest(); var other = Nest() }
  struct State: Equatable {
    var counter = 0
    var info = Info()
    var maybe: Int?
    var scores = ["alice": 1]
  }

  private func changes(_ mutate: (inout State) -> Void) -> StateChanges<State> {
    var new = State()
    mutate(&new)
    return StateDiff.changes(from: State(), to: new)
  }

  @Test func `a parent changes with its child and nothing else does`() {
    let changes = changes { $0.info.nest.foo = "mutated" }
    #expect(changes.keys == ["info", "info.nest", "info.nest.foo"])
    #expect(!changes.isEmpty)
    #expect(changes.contains("info.nest"))
    #expect(!changes.contains("info.other"))
    #expect(!changes.contains("info.nest.n"))
    #expect(!changes.contains("infos"))
  }

  @Test func `the text names the deepest keys with old and new value`() {
    let changes = changes {
      $0.counter = 2
      $0.info.nest.foo = "mutated"
      $0.maybe = 3
      $0.scores = ["bob": 4]
    }
    #expect(
      changes.description == """
        - counter: 0
        + counter: 2
        - info.nest.foo: "bar"
        + info.nest.foo: "mutated"
        - maybe: nil
        + maybe: 3
        - scores.alice: 1
        + scores.bob: 4
        """
    )
  }

  @Test func `values are had by key and by key path`() {
    let changes = changes {
      $0.counter = 2
      $0.maybe = 3
    }
    #expect(changes.oldValue("counter") == 0)
    #expect(changes.newValue("counter") == 2)
    #expect(changes.newValue("counter") == String?.none)
    #expect(changes.newValue("maybe") == 3)
    #expect(changes.oldValue("maybe") == Int?.none)
    #expect(changes.newValue("info") == Info())
    #expect(changes.newValue("none") == Int?.none)
    #expect(changes.contains(\.counter))
    #expect(!changes.contains(\.info.nest))
    let change = changes.change(at: \.counter)
    #expect(change?.old == 0)
    #expect(change?.new == 2)
    #expect(changes.change(at: \.info)?.new == nil)
  }

  @Test func `nothing changed is empty and says nothing`() {
    let changes = changes { $0.scores = ["alice": 1] }
    #expect(changes.isEmpty)
    #expect(changes.keys == [])
    #expect(changes.description == "")
  }

  @Test func `two values of any type can be compared`() {
    #expect(StateDiff.areEqual(1, 1))
    #expect(!StateDiff.areEqual("a", "b"))
    #expect(StateDiff.areEqual([Double.nan], [Double.nan]))
    #expect(StateDiff.changes(from: Nest(), to: Nest(foo: "a")).keys == ["foo"])
  }
}
