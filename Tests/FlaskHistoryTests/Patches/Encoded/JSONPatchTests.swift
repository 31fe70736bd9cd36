import FlaskEntities
import FlaskHistory
import Foundation
import Testing

/// Encodes itself otherwise than it is stored.
private struct Odd: Encodable, Sendable {
  var celsius = 10
  var parts: [Int] = []
  var hiddenName = "n"
  var _private = 0
  var whenOpen: Int?

  enum CodingKeys: String, CodingKey { case kelvin, total, name, list, secret }
  enum ListKeys: String, CodingKey { case first, all }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(celsius + 273, forKey: .kelvin)
    try container.encode(parts.reduce(0, +), forKey: .total)
    try container.encode(hiddenName, forKey: .name)
    try container.encode(_private, forKey: .secret)
    var list = container.nestedContainer(keyedBy: ListKeys.self, forKey: .list)
    try list.encodeIfPresent(parts.first, forKey: .first)
    var all = list.nestedUnkeyedContainer(forKey: .all)
    for part in parts { try all.encode(part) }
  }
}

private struct Renamed: Encodable, Sendable {
  var count = 0
  var inner = Inner()
  var date = Date(timeIntervalSinceReferenceDate: 0)

  enum CodingKeys: String, CodingKey {
    case count = "the/count"
    case inner = "~"
    case date
  }

  struct Inner: Encodable, Sendable {
    var value = 0
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode("v\(value)")
    }
  }
}

private struct Failing: Encodable, Sendable {
  var count = 0
  struct Refusal: Error {}
  func encode(to encoder: any Encoder) throws { throw Refusal() }
}

@Suite struct JSONPatchTests {
  private func json<State: Encodable & Sendable>(_ old: State, _ change: (inout State) -> Void) throws
    -> String
  {
    var new = old
    change(&new)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    let data = try encoder.encode(StatePatch(from: old, to: new))
    return String(decoding: data, as: UTF8.self).replacing("},{", with: "},\n{")
  }

  @Test func `values are replaced after a test`() throws {
    let text = try json(Sheet()) {
      $0.count = 2
      $0.frame.size.label = "x"
    }
    #expect(
      text == """
        [{"op":"test","path":"/count","value":0},
        {"op":"replace","path":"/count","value":2},
        {"op":"test","path":"/frame/size/label","value":"w"},
        {"op":"replace","path":"/frame/size/label","value":"x"}]
        """
    )
  }

  @Test func `optionals come and go`() throws {
    #expect(try json(Sheet()) { $0.note = "n" } == #"[{"op":"add","path":"/note","value":"n"}]"#)
    var sheet = Sheet()
    sheet.note = "n"
    #expect(
      try json(sheet) { $0.note = nil } == """
        [{"op":"test","path":"/note","value":"n"},
        {"op":"remove","path":"/note"}]
        """
    )
  }

  @Test func `arrays are patched by element`() throws {
    var sheet = Sheet()
    sheet.numbers = [1, 2, 3, 4]
    #expect(
      try json(sheet) { $0.numbers.remove(at: 1) } == """
        [{"op":"test","path":"/numbers/1","value":2},
        {"op":"remove","path":"/numbers/1"}]
        """
    )
    #expect(
      try json(sheet) { $0.numbers.removeSubrange(1..<3) } == """
        [{"op":"test","path":"/numbers/2","value":3},
        {"op":"remove","path":"/numbers/2"},
        {"op":"test","path":"/numbers/1","value":2},
        {"op":"remove","path":"/numbers/1"}]
        """
    )
    #expect(
      try json(sheet) { $0.numbers.insert(contentsOf: [8, 9], at: 4) } == """
        [{"op":"add","path":"/numbers/4","value":8},
        {"op":"add","path":"/numbers/5","value":9}]
        """
    )
    sheet.numbers = Array(0..<100)
    #expect(
      try json(sheet) { $0.numbers.append($0.numbers.remove(at: 5)) } == """
        [{"op":"test","path":"/numbers/5","value":5},
        {"op":"remove","path":"/numbers/5"},
        {"op":"add","path":"/numbers/99","value":5}]
        """
    )
    sheet.numbers = []
    sheet.rows = [Row(id: 1, title: "a"), Row(id: 2, title: "b", cells: [5])]
    #expect(
      try json(sheet) { $0.rows[1].cells[0] = 6 } == """
        [{"op":"test","path":"/rows/1/cells/0","value":5},
        {"op":"replace","path":"/rows/1/cells/0","value":6}]
        """
    )
  }

  @Test func `dictionaries are patched by entry, with escaped keys`() throws {
    var sheet = Sheet()
    sheet.scores = ["a/b": 1, "c~d": 2]
    #expect(
      try json(sheet) { $0.scores["a/b"] = 3 } == """
        [{"op":"test","path":"/scores/a~1b","value":1},
        {"op":"replace","path":"/scores/a~1b","value":3}]
        """
    )
    #expect(
      try json(sheet) { $0.scores["c~d"] = nil } == """
        [{"op":"test","path":"/scores/c~0d","value":2},
        {"op":"remove","path":"/scores/c~0d"}]
        """
    )
  }

  @Test func `enums follow their own encoding`() throws {
    #expect(
      try json(Sheet()) { $0.mode = .running(speed: 4) } == """
        [{"op":"test","path":"/mode/idle","value":{}},
        {"op":"remove","path":"/mode/idle"},
        {"op":"add","path":"/mode/running","value":{"speed":4}}]
        """
    )
  }

  @Test func `a type that encodes itself otherwise is followed`() throws {
    var odd = Odd()
    odd.parts = [1, 2]
    #expect(
      try json(odd) {
        $0.celsius = 20
        $0.parts.append(3)
        $0._private = 4
      } == """
        [{"op":"test","path":"/kelvin","value":283},
        {"op":"replace","path":"/kelvin","value":293},
        {"op":"test","path":"/total","value":3},
        {"op":"replace","path":"/total","value":6},
        {"op":"test","path":"/secret","value":0},
        {"op":"replace","path":"/secret","value":4},
        {"op":"add","path":"/list/all/2","value":3}]
        """
    )
  }

  @Test func `renamed keys, single values and the encoder's own dates are followed`() throws {
    #expect(
      try json(Renamed()) {
        $0.count = 1
        $0.inner.value = 2
        $0.date += 60
      } == """
        [{"op":"test","path":"/the~1count","value":0},
        {"op":"replace","path":"/the~1count","value":1},
        {"op":"test","path":"/~0","value":"v0"},
        {"op":"replace","path":"/~0","value":"v2"},
        {"op":"test","path":"/date","value":"2001-01-01T00:00:00Z"},
        {"op":"replace","path":"/date","value":"2001-01-01T00:01:00Z"}]
        """
    )
  }

  @Test func `a state that is one value is replaced at the root`() throws {
    #expect(
      try json(1) { $0 = 2 } == """
        [{"op":"test","path":"","value":1},
        {"op":"replace","path":"","value":2}]
        """
    )
  }

  @Test func `an inverse encodes as the way back`() throws {
    var (old, new) = (Sheet(), Sheet())
    old.numbers = [1, 2, 3]
    new.numbers = [2]
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let data = try encoder.encode(StatePatch(from: old, to: new).inverted())
    #expect(
      String(decoding: data, as: UTF8.self).replacing("},{", with: "},\n{") == """
        [{"op":"add","path":"/numbers/1","value":3},
        {"op":"add","path":"/numbers/0","value":1}]
        """
    )
  }

  @Test func `what a type throws is thrown when the patch is encoded, and the patch is good for the rest`()
    throws
  {
    var new = Failing()
    new.count = 1
    let patch = StatePatch(from: Failing(), to: new)
    #expect(throws: Failing.Refusal.self) { try JSONEncoder().encode(patch) }
    #expect(try patch.applied(to: Failing()).count == 1)
  }

  @Test func `what has not changed is not encoded`() throws {
    struct Counted: Encodable, Sendable {
      static let count = Counter()
      var number = 0
      func encode(to encoder: any Encoder) throws {
        Counted.count.increment()
        var container = encoder.singleValueContainer()
        try container.encode(number)
      }
    }
    struct State: Encodable, Sendable {
      var list = (0..<1_000).map { Counted(number: $0) }
      var table = Dictionary(uniqueKeysWithValues: (0..<1_000).map { ("\($0)", Counted(number: $0)) })
      var other = 0
    }
    let old = State()
    var new = old
    new.list[5].number = 9
    new.table["7"]?.number = 9
    new.other = 1
    _ = StatePatch(from: old, to: new)
    #expect(Counted.count.value == 4)
  }
}

private final class Counter: Sendable {
  private nonisolated(unsafe) var count = 0
  var value: Int { count }
  // Used by one test, on one thread.
  func increment() { count += 1 }
}
