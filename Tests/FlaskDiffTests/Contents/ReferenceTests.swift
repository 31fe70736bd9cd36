import FlaskDiff
import Testing

@Suite struct ReferenceTests {
  class Plain {}
  final class Sub: Plain {}
  final class Valued: Equatable {
    let value: Int
    init(_ value: Int) { self.value = value }
    static func == (a: Valued, b: Valued) -> Bool { a.value == b.value }
  }
  struct Unique: ~Copyable { var value = 1 }
  final class Holder { var unique = Unique() }
  struct State {
    var before = 1
    var plain = Plain()
    var valued = Valued(1)
    var holder = Holder()
    var maybe: Plain?
    var object: AnyObject = Valued(1)
    var act: () -> Void = {}
    var after = 1
  }

  @Test func `objects are compared by identity unless Equatable`() {
    let state = State()
    #expect(changedKeys(state) { $0.plain = Plain() } == ["plain"])
    #expect(changedKeys(state) { $0.plain = Sub() } == ["plain"])
    #expect(changedKeys(state) { $0.valued = Valued(1) } == [])
    #expect(changedKeys(state) { $0.valued = Valued(2) } == ["valued"])
    #expect(changedKeys(state) { $0.holder.unique.value = 2 } == [])
    #expect(changedKeys(state) { $0.holder = Holder() } == ["holder"])
    #expect(changedKeys(state) { $0.maybe = Plain() } == ["maybe"])
    #expect(changedKeys(state) { $0.object = Valued(1) } == [])
    #expect(changedKeys(state) { $0.object = Plain() } == ["object"])
    #expect(changedKeys(state) { $0.after = 2 } == ["after"])
  }

  @Test func `a closure changes when another is written`() {
    let state = State()
    var count = 0
    #expect(changedKeys(state) { $0.act = { count += 1 } } == ["act"])
    #expect(changedKeys(state) { $0.act = state.act } == [])
    #expect(count == 0)
  }

  struct Weak {
    var before = 1
    weak var weak: Plain?
    unowned var unowned: Plain
    unowned(unsafe) var unsafe: Plain
    var strong: Plain
    var after = "a"
  }
  struct Outer { var weak: Weak; var list: [Weak] }

  @Test func `weak and unowned references are compared and kept`() {
    let a = Plain()
    let b = Plain()
    let weak = Weak(weak: a, unowned: a, unsafe: a, strong: a)
    #expect(changedKeys(weak) { $0.weak = b } == ["weak"])
    #expect(changedKeys(weak) { $0.weak = nil } == ["weak"])
    #expect(changedKeys(weak) { $0.unowned = b } == ["unowned"])
    #expect(changedKeys(weak) { $0.unsafe = b } == ["unsafe"])
    #expect(changedKeys(weak) { $0.strong = b } == ["strong"])
    #expect(changedKeys(weak) { $0.after = "b" } == ["after"])
    #expect(changedKeys(weak) { $0.before = 2 } == ["before"])
    let outer = Outer(weak: weak, list: [weak])
    #expect(changedKeys(outer) { $0.weak.weak = b } == ["weak", "weak.weak"])
    #expect(changedKeys(outer) { $0.list[0].weak = b } == ["list"])
    #expect(changedKeys(outer) { $0.list[0].weak = a } == [])
  }

  @Test func `copying what differs keeps every reference count`() {
    weak var first: Plain?
    weak var second: Plain?
    do {
      let a = Plain()
      let b = Plain()
      first = a
      second = b
      var old = Weak(weak: a, unowned: a, unsafe: a, strong: a)
      var new = Weak(before: 2, weak: b, unowned: b, unsafe: b, strong: b, after: "b")
      withUnsafeMutablePointer(to: &old) { old in
        withUnsafeMutablePointer(to: &new) { new in
          let layout = StateLayout.of(Weak.self)
          var changes = ChangeSet()
          layout.compare(old: old, new: new, into: &changes)
          layout.copyDirty(&changes, from: new, to: old)
          layout.compare(old: old, new: new, into: &changes)
          #expect(changes.isEmpty)
          #expect(!layout.copyDifferences(from: old, to: new))
        }
      }
      #expect(old.weak === b && old.unowned === b && old.strong === b && old.after == "b")
    }
    #expect(first == nil)
    #expect(second == nil)
  }
}
