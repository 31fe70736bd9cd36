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
  /// A tree of objects.
  struct Tree<Element: Hashable>: Collection, Equatable {
    final class Node { let elements: [Element]; init(_ elements: [Element]) { self.elements = elements } }
    struct Root { var object: Node }
    var _root = Root(object: Node([]))

    mutating func insert(_ element: Element) { _root = Root(object: Node(_root.object.elements + [element])) }
    mutating func remove(_ element: Element) {
      _root = Root(object: Node(_root.object.elements.filter { $0 != element }))
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
    // Where there is an `a`, this is the entry `b` of it.
    #expect(!changes.contains("scores.a.b"))
    #expect(changes.newValue("scores.a.b") == 1)
    struct Odd { var table: [String: [String: Int]] = ["a.b": ["c": 1], #"a\"#: [:], "k": ["\u{301}x": 1]] }
    let odd = StateDiff.changes(
      from: Odd(),
      to: {
        var odd = Odd(); odd.table["a.b"]?["c"] = 2; odd.table["k"] = ["\u{301}x": 2]; return odd
      }()
    )
    #expect(odd.keys.count == 5)
    for key in odd.keys { #expect(odd.contains(key), "\(key)") }
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

  @Test func `a struct in an Equatable enum is compared by its properties`() {
    enum Screen: Equatable { case list, detail(Item), number(Double) }
    struct Shown {
      var screen = Screen.detail(Item())
      var result = Result<Item, Never>.success(Item())
      var screens = [Screen.detail(Item())]
    }
    #expect(changedKeys(Shown()) { $0.screen = .detail(Item(note: "n")) } == ["screen"])
    #expect(changedKeys(Shown()) { $0.result = .success(Item(note: "n")) } == ["result"])
    #expect(changedKeys(Shown()) { $0.screens[0] = .detail(Item(note: "n")) } == ["screens"])
    #expect(changedKeys(Shown()) { $0.screen = .detail(Item()) } == [])
    #expect(changedKeys(Shown()) { $0.screen = .number(.nan) } == ["screen"])
  }

  @Test func `a wrapper that computes its value from its storage is compared by all that it stores`() {
    struct Colour { var red = 1 }
    @propertyWrapper struct Themed {
      private var _wrappedValue = Colour()
      var isDark = false
      init() {}
      var wrappedValue: Colour {
        get { isDark ? Colour(red: -_wrappedValue.red) : _wrappedValue }
        set { _wrappedValue = newValue }
      }
      var projectedValue: Themed {
        get { self }
        set { self = newValue }
      }
    }
    struct Shown {
      @Themed var colour
      lazy var cache = 1
      var _cache = Colour()
    }
    #expect(changedKeys(Shown()) { $0.$colour.isDark = true } == ["colour"])
    #expect(changedKeys(Shown()) { $0.colour.red = 7 } == ["colour"])
    #expect(!StateLayout.of(Shown.self).isHidden(\Shown._cache))
    #expect(Set(StateLayout.of(Shown.self).keys).count == StateLayout.of(Shown.self).keyCount)
  }

  @Test func `what refers to a deallocated object is not read`() {
    final class Object { var name = "a" }
    struct Nest { var n = 0; unowned var object: Object }
    struct Acting { var nest: Nest; unowned var object: Object }
    let stays = Object()
    var gone: Object? = Object()
    let before = gone.map { Acting(nest: Nest(object: $0), object: $0) }
    gone = nil
    guard let before else { return }
    let changes = StateDiff.changes(from: before, to: Acting(nest: Nest(object: stays), object: stays))
    #expect(
      changes.contains(\.object.name) && changes.contains(\.nest.object)
        && changes.contains(\.nest.object.name)
    )
    #expect(changes.change(at: \.nest.object) == nil)
    #expect(changes.change(at: \.object.name) == nil)
    let back = StateDiff.changes(from: Acting(nest: Nest(object: stays), object: stays), to: before)
    #expect(back.change(at: \.object.name) == nil)
    let alive = StateDiff.changes(
      from: Acting(nest: Nest(object: stays), object: stays),
      to: Acting(nest: Nest(n: 1, object: stays), object: stays)
    )
    #expect(!alive.contains(\.nest.object) && !alive.contains(\.object.name))
    withExtendedLifetime(stays) {}
  }
}
