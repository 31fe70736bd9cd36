import FlaskDiff
import Testing

@Suite struct StateDeltaTests {
  final class Object {
    let name: String
    init(_ name: String) { self.name = name }
  }
  struct Inner { weak var weak: Object?; unowned var unowned: Object; var n = 1 }
  struct State {
    var flag = false
    var text = "a text that does not fit into sixteen bytes"
    var vector = SIMD4<Double>(repeating: 1)
    var inner: Inner
    var act: () -> Int = { 1 }
    let kind = Int.self
    var pair: (Int.Type, String) = (Int.self, "a")
    var any: [Any] = [1]
    var maybe: [String]?
    var large: (Int, Int, Int, Int, Int, Int, Int, Int) = (1, 2, 3, 4, 5, 6, 7, 8)
    var last: UInt8 = 0
  }

  private func delta(_ old: inout State, _ new: inout State) -> StateDelta {
    withUnsafeMutablePointer(to: &old) { old in
      withUnsafeMutablePointer(to: &new) { new in
        let layout = StateLayout.of(State.self)
        var changes = ChangeSet()
        layout.compare(old: old, new: new, into: &changes)
        return StateDelta(layout: layout, changes: &changes, new: new)
      }
    }
  }

  @Test func `a delta takes a state there and back, and releases everything`() {
    weak var first: Object?
    weak var second: Object?
    do {
      let a = Object("a")
      let b = Object("b")
      first = a
      second = b
      var old = State(inner: Inner(weak: a, unowned: a), act: { a.name == "a" ? 1 : 3 })
      var new = State(inner: Inner(weak: b, unowned: b, n: 2))
      new.flag = true
      new.text = "another text that does not fit into sixteen bytes"
      new.vector[3] = 2
      new.act = { b.name == "b" ? 2 : 3 }
      new.pair.1 = "b"
      new.any = ["b"]
      new.maybe = ["b"]
      new.last = 1
      let (there, back) = (delta(&old, &new), delta(&new, &old))
      var state = old
      withUnsafeMutablePointer(to: &state) { there.apply(to: $0) }
      #expect(state.flag)
      #expect(state.text == "another text that does not fit into sixteen bytes")
      #expect(state.vector == [1, 1, 1, 2])
      #expect(state.inner.weak === b && state.inner.unowned === b && state.inner.n == 2)
      #expect(state.act() == 2)
      #expect(state.pair.1 == "b")
      #expect(state.any as? [String] == ["b"])
      #expect(state.maybe == ["b"])
      #expect(state.last == 1)
      withUnsafeMutablePointer(to: &state) { back.apply(to: $0) }
      #expect(!state.flag && state.last == 0 && state.maybe == nil && state.act() == 1)
      #expect(state.inner.weak === a && state.inner.unowned === a && state.inner.n == 1)
      #expect(state.text == "a text that does not fit into sixteen bytes")
    }
    #expect(first == nil)
    #expect(second == nil)
  }

  @Test func `a delta takes as much memory as what differs`() {
    let object = Object("a")
    var old = State(inner: Inner(weak: object, unowned: object))
    var new = old
    #expect(delta(&old, &new).byteCount == 0)
    new.last = 1
    #expect(delta(&old, &new).byteCount == 1)
    new.flag = true
    #expect(delta(&old, &new).byteCount == 2)
    #expect(delta(&old, &new).changes.contains(0))
    withExtendedLifetime(object) {}
  }

  @Test func `pieces that lie in one unit are kept once`() {
    let a = Object("a")
    let b = Object("b")
    var old = State(inner: Inner(weak: a, unowned: a))
    var new = State(inner: Inner(weak: b, unowned: b, n: 2))
    new.pair = old.pair
    new.act = old.act
    new.any = old.any
    #expect(delta(&old, &new).byteCount == 24)
    withExtendedLifetime((a, b)) {}
  }
}
