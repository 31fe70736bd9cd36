import FlaskDiff
import Testing

@Suite struct LookupTests {
  final class Object {}
  struct Nest { var foo = "bar"; var n = 1 }
  struct State {
    var first = Nest()
    var counter = 0
    var maybe: Int?
    var object = Object()
    var act: () -> Void = {}
    var doubled: Int { counter * 2 }
  }
  struct WithAny { var any: Any = 1; var counter = 1 }

  private func layout() -> StateLayout {
    StateLayout.of(State.self)
  }

  @Test func `keys are numbered in order, parents first`() {
    #expect(
      layout().keys == ["first", "first.foo", "first.n", "counter", "maybe", "object", "act"]
    )
    #expect(layout().index(of: "counter") == 3)
    #expect(layout().index(of: "first.") == nil)
    #expect(layout().index(of: "firs") == nil)
    #expect(layout().parent(of: 2) == 0)
    #expect(layout().name(of: 2) == "n")
  }

  @Test func `a key path leads to its key`() {
    let layout = layout()
    #expect(layout.index(of: \State.first) == 0)
    #expect(layout.index(of: \State.first.foo) == 1)
    #expect(layout.index(of: \State.counter) == 3)
    #expect(layout.index(of: \State.object) == 5)
    #expect(layout.index(of: \State.doubled) == nil)
    #expect(layout.index(of: \State.self) == nil)
    let withAny = StateLayout.of(WithAny.self)
    #expect(withAny.index(of: \WithAny.counter) == 1)
    #expect(withAny.index(of: \WithAny.any) == 0)
  }

  @Test func `values are loaded as what they are or not at all`() {
    let layout = layout()
    withUnsafePointer(to: State(counter: 7, maybe: 8)) { state in
      #expect(layout.load(3, as: Int.self, in: state) == 7)
      #expect(layout.load(3, as: Int?.self, in: state) == 7)
      #expect(layout.load(3, as: String.self, in: state) == nil)
      #expect(layout.load(4, as: Int.self, in: state) == 8)
      #expect(layout.load(1, as: String.self, in: state) == "bar")
      #expect(layout.load(0, as: Nest.self, in: state)?.foo == "bar")
      #expect(layout.load(3, as: Any.self, in: state) as? Int == 7)
      #expect(layout.value(of: 3, in: state) as? Int == 7)
    }
  }

  @Test func `a layout is made once, whichever thread asks`()
    async
  {
    struct Fresh<Part> { var a = 1; var part: Part }
    let layouts = await withTaskGroup(of: ObjectIdentifier.self) { group in
      for _ in 0..<16 {
        group.addTask {
          ObjectIdentifier(StateLayout.of(Fresh<[Fresh<Int>]>.self))
        }
      }
      return await group.reduce(into: Set<ObjectIdentifier>()) { $0.insert($1) }
    }
    #expect(layouts.count == 1)
  }
}
