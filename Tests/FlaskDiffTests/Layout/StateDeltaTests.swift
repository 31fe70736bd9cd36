import FlaskDiff
import TestSupport
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

  /// A state whose units lie in each other, and of which random parts are changed.
  struct Nested: Equatable {
    struct Deep: Equatable { var x = "", y = [Int](), flag = false }
    struct Part: Equatable { var n = 0, deep = Deep(), title = "" }
    enum Choice: Equatable { case none, text(String), part(Part) }

    var part = Part()
    var other: Part?
    var choice = Choice.none
    var wide: (Int, String) = (0, "")
    var flag = false

    static func == (a: Nested, b: Nested) -> Bool {
      a.part == b.part && a.other == b.other && a.choice == b.choice && a.wide == b.wide && a.flag == b.flag
    }

    mutating func change(_ random: inout SeededGenerator, _ number: Int) {
      for _ in 0..<Int(random.next() % 3 + 1) {
        switch random.next() % 10 {
        case 0: part.n = number
        case 1: part.deep.x = "\(number)"
        case 2: part.deep = Deep(x: "\(number)", y: [number], flag: true)
        case 3: part = Part(n: number, deep: Deep(), title: "\(number)")
        case 4: other = other == nil ? Part(n: number) : nil
        case 5: other?.deep.y.append(number)
        case 6: choice = random.next() % 2 == 0 ? .text("\(number)") : .part(Part(n: number))
        case 7: wide = (number, wide.1)
        case 8: wide.1 = "\(number)"
        default: flag.toggle()
        }
      }
    }
  }

  @Test(arguments: 0..<100)
  func `deltas that are merged in any order take a state to where they lead one after the other`(_ seed: Int)
  {
    var random = SeededGenerator(seed: UInt64(seed))
    let layout = StateLayout.of(Nested.self)
    let first = Nested()
    var last = first
    var deltas: [StateDelta] = []
    for number in 1...12 {
      var old = last
      last.change(&random, number)
      var changes = ChangeSet()
      withUnsafeMutablePointer(to: &old) { old in
        withUnsafeMutablePointer(to: &last) { last in
          layout.compare(old: old, new: last, into: &changes)
          deltas.append(StateDelta(layout: layout, changes: &changes, new: last))
        }
      }
    }
    while deltas.count > 1 {
      let place = Int(random.next() % UInt64(deltas.count - 1))
      deltas[place] = StateDelta(deltas[place], then: deltas.remove(at: place + 1))
    }
    var state = first
    withUnsafeMutablePointer(to: &state) { deltas[0].apply(to: $0) }
    #expect(state == last)
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
