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

  private func layout(_ source: FieldSource) -> StateLayout {
    withUnsafePointer(to: State()) { StateLayout.of(State.self, example: $0, source: source) }
  }

  @Test(arguments: FieldSource.allCases) func `keys are numbered in order, parents first`(source: FieldSource)
  {
    #expect(
      layout(source).keys == ["first", "first.foo", "first.n", "counter", "maybe", "object", "act"]
    )
    #expect(layout(source).index(of: "counter") == 3)
    #expect(layout(source).index(of: "first.") == nil)
    #expect(layout(source).index(of: "firs") == nil)
    #expect(layout(source).parent(of: 2) == 0)
    #expect(layout(source).name(of: 2) == "n")
  }

  @Test(arguments: FieldSource.allCases) func `a key path leads to its key`(source: FieldSource) {
    let layout = layout(source)
    #expect(layout.index(of: \State.first) == 0)
    #expect(layout.index(of: \State.first.foo) == 1)
    #expect(layout.index(of: \State.counter) == 3)
    #expect(layout.index(of: \State.object) == 5)
    #expect(layout.index(of: \State.doubled) == nil)
    #expect(layout.index(of: \State.self) == nil)
    let withAny = withUnsafePointer(to: WithAny()) {
      StateLayout.of(WithAny.self, example: $0, source: source)
    }
    #expect(withAny.index(of: \WithAny.counter) == 1)
    #expect(withAny.index(of: \WithAny.any) == 0)
  }

  @Test(arguments: FieldSource.allCases) func `values are loaded as what they are or not at all`(
    source: FieldSource
  ) {
    let layout = layout(source)
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

  @Test(arguments: FieldSource.allCases) func `a layout is made once, whichever thread asks`(
    source: FieldSource
  )
    async
  {
    struct Fresh<Part> { var a = 1; var part: Part }
    let layouts = await withTaskGroup(of: ObjectIdentifier.self) { group in
      for _ in 0..<16 {
        group.addTask {
          withUnsafePointer(to: Fresh(part: [Fresh(part: 1)])) {
            ObjectIdentifier(StateLayout.of(Fresh<[Fresh<Int>]>.self, example: $0, source: source))
          }
        }
      }
      return await group.reduce(into: Set<ObjectIdentifier>()) { $0.insert($1) }
    }
    #expect(layouts.count == 1)
  }
}
