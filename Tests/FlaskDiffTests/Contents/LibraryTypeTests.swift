import FlaskDiff
import Foundation
import Testing

/// Types that keep all that they have behind `_`, in the forms that libraries use.
@Suite struct LibraryTypeTests {
  /// Two storages, of which one is a struct, as an ordered dictionary has them.
  struct Ordered<Key: Hashable, Value>: Sequence {
    struct Keys: Equatable { var _list: [Key] = [] }
    var _keys = Keys()
    var _values: ContiguousArray<Value> = []

    mutating func append(_ key: Key, _ value: Value) {
      _keys._list.append(key)
      _values.append(value)
    }
    func makeIterator() -> some IteratorProtocol<(key: Key, value: Value)> {
      zip(_keys._list, _values).map { (key: $0, value: $1) }.makeIterator()
    }
    subscript(offset offset: Int) -> Value {
      get { _values[offset] }
      set { _values[offset] = newValue }
    }
  }
  /// A heap has no `==`.
  struct Heap<Element> {
    private(set) var _storage: ContiguousArray<Element> = [];
    mutating func insert(_ new: Element) { _storage.append(new) }
  }
  /// A tree of objects, with a version.
  struct Tree<Element: Hashable>: Collection, Equatable {
    final class Node { let elements: [Element]; init(_ elements: [Element]) { self.elements = elements } }
    struct Root { var object: Node }
    var _root = Root(object: Node([]))
    var _version = 0

    mutating func insert(_ element: Element) {
      _root = Root(object: Node(_root.object.elements + [element]))
      _version += 1
    }
    mutating func remove(_ element: Element) {
      _root = Root(object: Node(_root.object.elements.filter { $0 != element }))
      _version += 1
    }
    var startIndex: Int { 0 }
    var endIndex: Int { _root.object.elements.count }
    func index(after index: Int) -> Int { index + 1 }
    subscript(index: Int) -> Element { _root.object.elements[index] }
    static func == (a: Tree, b: Tree) -> Bool { a._root.object.elements == b._root.object.elements }
  }
  /// Its `==` ignores the note.
  struct Item: Hashable {
    var name = "a"
    var note = ""
    static func == (a: Item, b: Item) -> Bool { a.name == b.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }
  }
  struct State {
    var ordered = Ordered<String, Int>()
    var orderedItems = Ordered<String, Item>()
    var heap = Heap<Int>()
    var tree = Tree<Int>()
    var treeOfItems = Tree<Item>()
    var list = [Ordered<String, Int>()]
    var maybe: Ordered<String, Int>? = .init()
    var trees = [Tree<Int>()]
    var distance = Measurement(value: 1, unit: UnitLength.kilometers)
    var range = 0..<10
    var n = 0
  }

  @Test func `each change is seen, under one key`() {
    var state = State()
    state.ordered.append("a", 1)
    state.orderedItems.append("a", Item())
    state.list[0].append("a", 1)
    state.maybe?.append("a", 1)
    state.tree.insert(1)
    state.treeOfItems.insert(Item())
    #expect(changedKeys(state) { $0.ordered[offset: 0] = 2 } == ["ordered"])
    #expect(changedKeys(state) { $0.ordered.append("b", 2) } == ["ordered"])
    #expect(changedKeys(state) { $0.orderedItems[offset: 0].note = "n" } == ["orderedItems"])
    #expect(changedKeys(state) { $0.heap.insert(1) } == ["heap"])
    #expect(changedKeys(state) { $0.list[0][offset: 0] = 2 } == ["list"])
    #expect(changedKeys(state) { $0.maybe?[offset: 0] = 2 } == ["maybe"])
    #expect(changedKeys(state) { $0.tree.insert(2) } == ["tree"])
    #expect(changedKeys(state) { $0.trees[0].insert(2) } == ["trees"])
    #expect(!StateDiff.areEqual(state.ordered, State().ordered))
  }

  @Test func `a storage that differs is no change where == and the elements say so`() {
    var state = State()
    state.tree.insert(1)
    state.treeOfItems.insert(Item())
    #expect(
      changedKeys(state) {
        $0.tree.insert(2); $0.tree.remove(2)
      } == []
    )
    #expect(
      changedKeys(state) {
        $0.treeOfItems.insert(Item(name: "b")); $0.treeOfItems.remove(Item(name: "b"))
      } == []
    )
    let keys = changedKeys(state) {
      $0.treeOfItems.remove(Item())
      $0.treeOfItems.insert(Item(note: "n"))
    }
    #expect(keys == ["treeOfItems"])
  }

  @Test func `a measurement changes with its unit`() {
    let thousandMetres = Measurement(value: 1_000, unit: UnitLength.meters)
    #expect(changedKeys(State()) { $0.distance = thousandMetres }.first == "distance")
    #expect(changedKeys(State()) { $0.distance.value = 2 }.first == "distance")
    #expect(changedKeys(State()) { $0.distance = Measurement(value: 1, unit: UnitLength.kilometers) } == [])
    #expect(!StateDiff.areEqual([State().distance], [thousandMetres]))
  }

  @Test func `a stored function and an unowned reference have changed when their key has`() {
    final class Object {}
    struct Acting {
      var act: (Int) -> Int = { $0 }
      var n = 0
      unowned var object: Object
    }
    let (first, second) = (Object(), Object())
    let old = Acting(object: first)
    let other = StateDiff.changes(
      from: old,
      to: {
        var state = old; state.n = 1; return state
      }()
    )
    #expect(!other.contains(\.act))
    #expect(other.change(at: \.act) == nil)
    #expect(!other.contains(\.object))
    let acted = StateDiff.changes(
      from: old,
      to: {
        var state = old; state.act = { $0 + 1 }; return state
      }()
    )
    #expect(acted.contains(\.act))
    #expect(acted.change(at: \.act)?.new(1) == 2)
    var gone: Object? = Object()
    let before = gone.map { Acting(object: $0) }
    gone = nil
    guard let before else { return }
    let changes = StateDiff.changes(from: before, to: Acting(object: second))
    #expect(changes.contains(\.object))
    #expect(changes.change(at: \.object) == nil)
    withExtendedLifetime((first, second)) {}
  }

  @Test func `a dot in a key of a dictionary is written with a backslash`() {
    struct Scores { var scores: [String: [String: Int]] = ["a.b": ["c.d": 1], "a": ["b": 1], #"e\f"#: [:]] }
    var new = Scores()
    new.scores["a.b"] = ["c.d": 2]
    let changes = StateDiff.changes(from: Scores(), to: new)
    #expect(changes.keys == ["scores", #"scores.a\.b"#, #"scores.a\.b.c\.d"#])
    #expect(changes.contains(#"scores.a\.b"#))
    #expect(changes.contains(#"scores.a\.b.c\.d"#))
    #expect(changes.newValue(#"scores.a\.b.c\.d"#) == 2)
    #expect(changes.oldValue(#"scores.e\\f"#) == [String: Int]())
    #expect(!changes.contains("scores.a"))
    #expect(!changes.contains(#"scores.a\.c"#))
    // The whole rest of a path is tried as one key first.
    #expect(changes.contains("scores.a.b"))
  }

  @Test func `a key path into a value that is compared as a whole`() {
    let layout = StateLayout.ofState(State.self)
    #expect(layout.index(of: \State.range.lowerBound) == nil)
    #expect(layout.firstKey(of: \State.range.lowerBound) == layout.index(of: \State.range))
    #expect(!layout.isHidden(\State.ordered._values))
    let changes = StateDiff.changes(
      from: State(),
      to: {
        var state = State(); state.range = 1..<10; return state
      }()
    )
    #expect(changes.contains(\.range.lowerBound))
    #expect(!changes.contains(\.range.upperBound))
  }
}
