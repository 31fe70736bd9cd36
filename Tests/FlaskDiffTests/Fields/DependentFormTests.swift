import Testing

@testable import FlaskDiff

/// Properties whose type is associated with a parameter, and payloads that are functions.
@Suite struct DependentFormTests {
  private struct Associated<T: Sequence> {
    var a = 1
    var element: T.Element
    var wide: SIMD4<Float> = .zero
    var n = 0
  }

  @Test func `a metatype that a struct holds as generic code does is reported and copied`() {
    var old = Associated<[Int.Type?]>(element: Int.self)
    var new = old
    new.element = nil
    #expect(StateDiff.changes(from: old, to: new).keys.first == "")
    let layout = StateLayout.of(Associated<[Int.Type?]>.self)
    #expect(layout.copyDifferences(from: &new, to: &old))
    #expect(old.element == nil)
  }

  @Test func `a tuple with a metatype that a struct holds as generic code does is read in its place`() {
    func keys<A, B>(_ a: A, _ old: B, _ new: B) -> [String] {
      StateDiff.changes(
        from: Associated<[(A, B)]>(element: (a, old)),
        to: Associated<[(A, B)]>(element: (a, new))
      ).keys
    }
    let texts = ["a long enough text to be on the heap", "another text that is on the heap"]
    #expect(keys(Int.self, texts[0], texts[1]).first == "")
    #expect(keys(1, texts[0], texts[1]).first == "element")
  }

  private enum Handler { case tap((Int) -> Int), pair(n: Int, run: () -> Void), text(String), none }
  private struct Handlers { var handler = Handler.none; var maybe: Handler?; var any: Any = 1 }

  @Test func `a function in a case has no value by its key, and other cases have`() {
    var new = Handlers(handler: .tap { $0 + 1 }, maybe: .pair(n: 1, run: {}), any: Handler.tap { $0 + 1 })
    let changes = StateDiff.changes(from: Handlers(), to: new)
    #expect(changes.newValue("handler.tap", as: ((Int) -> Int).self) == nil)
    #expect(changes.newValue("maybe.pair.n", as: Int.self) == nil)
    #expect(changes.newValue("any.tap", as: ((Int) -> Int).self) == nil)
    new.handler = .text("a")
    #expect(StateDiff.changes(from: Handlers(), to: new).newValue("handler.text") == "a")
  }

  private enum Labels: Equatable {
    case message(title: String, mood: String)
    case numbers(max: Int, items: [String], _limit: Int)
    case other
  }
  private struct Labelled { var labels = Labels.other }

  @Test(arguments: ["title", "mood"]) func `labels with any letter are names`(_ label: String) {
    let old = Labelled(labels: .message(title: "a", mood: "b"))
    let new = Labelled(
      labels: .message(title: label == "title" ? "x" : "a", mood: label == "mood" ? "x" : "b")
    )
    let changes = StateDiff.changes(from: old, to: new)
    #expect(changes.contains("labels.message.\(label)"))
    #expect(changes.newValue("labels.message.\(label)") == "x")
    let text = String(repeating: "abcdefgh", count: 5)
    let copy = String(Array(text))
    #expect(
      StateDiff.changes(
        from: Labelled(labels: .message(title: text, mood: "")),
        to: Labelled(labels: .message(title: copy, mood: ""))
      ).keys == []
    )
  }

  @Test func `a closure beside a label with an x does not make a generic struct one value`() {
    struct Step<T> { var value: T; var next: (index: Int, run: () -> Void) }
    let old = Step(value: 1, next: (index: 1, run: {}))
    var new = old
    new.value = 2
    #expect(StateDiff.changes(from: old, to: new).keys == ["value"])
  }
}
