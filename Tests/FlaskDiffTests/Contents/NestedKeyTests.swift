import FlaskDiff
import Testing

@Suite struct NestedKeyTests {
  final class Keyed: KeyedByString, Equatable {
    let values: [String: Int]
    init(_ values: [String: Int]) { self.values = values }
    var nestedKeys: [String] { Array(values.keys) }
    func nestedValue(forKey key: String) -> Any? { values[key] }
    static func == (a: Keyed, b: Keyed) -> Bool { a.values == b.values }
  }
  struct Nest { var foo = "bar"; var table = ["x": 1] }
  struct State {
    var scores = ["alice": 1, "bob": 2]
    var tables = ["a": ["b": 1], "a.b": ["c": 2]]
    var maybe: Nest?
    var keyed = Keyed(["k": 1])
    var any: Any = ["k": [1: 2]] as [String: Any]
    var list = [1]
    var nest = Nest()
  }

  private func changes(_ mutate: (inout State) -> Void) -> StateChanges<State> {
    var new = State()
    mutate(&new)
    return StateDiff.changes(from: State(), to: new)
  }

  @Test func `entries of dictionaries are keys`() {
    let changes = changes {
      $0.scores["alice"] = 5
      $0.scores["carol"] = 3
      $0.scores["bob"] = nil
    }
    #expect(changes.keys == ["scores", "scores.alice", "scores.bob", "scores.carol"])
    #expect(changes.contains("scores.alice"))
    #expect(changes.contains("scores.carol"))
    #expect(changes.contains("scores.bob"))
    #expect(!changes.contains("scores.dave"))
    #expect(changes.oldValue("scores.alice") == 1)
    #expect(changes.newValue("scores.alice") == 5)
    #expect(changes.newValue("scores.bob") == Int?.none)
  }

  @Test func `keys with dots are found`() {
    let changes = changes {
      $0.tables["a.b"] = ["c": 3]
      $0.tables["a.c"] = [:]
    }
    #expect(changes.keys == ["tables", #"tables.a\.b"#, #"tables.a\.b.c"#, #"tables.a\.c"#])
    #expect(changes.contains(#"tables.a\.b"#))
    #expect(changes.contains(#"tables.a\.c"#))
    #expect(!changes.contains("tables.a"))
  }

  @Test func `properties below an optional are keys`() {
    let changes = changes { $0.maybe = Nest() }
    #expect(changes.keys == ["maybe", "maybe.foo", "maybe.table", "maybe.table.x"])
    #expect(changes.contains("maybe.foo"))
    #expect(changes.newValue("maybe.foo") == "bar")
    #expect(changes.oldValue("maybe.foo") == String?.none)
    #expect(!changes.contains("maybe.fou"))
  }

  @Test func `keys of a type of one's own and of existentials`() {
    let changes = changes {
      $0.keyed = Keyed(["k": 2, "l": 1])
      $0.any = ["k": [1: 3]] as [String: Any]
    }
    #expect(changes.keys == ["keyed", "keyed.k", "keyed.l", "any", "any.k"])
    #expect(changes.contains("keyed.l"))
    #expect(changes.newValue("keyed.k") == 2)
    #expect(changes.contains("any.k"))
    #expect(changes.newValue("any.k") == [1: 3])
  }

  @Test func `a mistyped key is unknown where the type rules it out`() {
    let layout = StateLayout.of(State.self)
    #expect(layout.lookup("nest.fou") == .unknown)
    #expect(layout.lookup("nest.foo.x") == .unknown)
    #expect(layout.lookup("list.0") == .unknown)
    #expect(layout.lookup("maybe.fou") == .unknown)
    #expect(layout.lookup("maybe.foo.x") == .unknown)
    #expect(layout.lookup("none") == .unknown)
    #expect(layout.lookup("") == .unknown)
    #expect(layout.lookup(".") == .unknown)
    #expect(layout.lookup("nest") == .key(6))
    #expect(layout.lookup("nest.foo") == .key(7))
    #expect(layout.lookup("scores.any.thing") == .nested(under: 0, rest: "any.thing"))
    #expect(layout.lookup("maybe.table.x") == .nested(under: 2, rest: "table.x"))
    #expect(layout.lookup("keyed.x") == .nested(under: 3, rest: "x"))
    #expect(layout.lookup("any.x.y") == .nested(under: 4, rest: "x.y"))
  }
}
