import FlaskPrimitives
import Testing

@testable import FlaskViews
@testable import KernelFixtures

/// What closures do that do not keep their contract.
@Suite(.ownFlux) struct ViewMisuseTests {
  let board = Substance(Board(rows: Entities((0..<40).map { Row(id: $0, title: "\($0 % 7)", due: $0 % 5) })))

  @Test func `an operator that reads a state is a fault, and the view stays right`() {
    let other = Substance(3)
    let view = board.view(\.rows).filter { $0.due == other.state }.sorted { $0.title }
    let table = Table<Row>()
    let token = view.observe { table.apply($0) }
    func expected() -> [Row] {
      board.rows.filter { $0.due == other.state }.sorted { $0.title < $1.title }
    }
    #expect(Array(view) == expected())
    other.mix { $0 = 4 }
    #expect(Array(view) == expected())
    board.mix { $0.rows[id: 5]?.due = 4 }
    other.mix { $0 = 1 }
    board.mix { $0.rows.remove(id: 6) }
    #expect(Array(view) == expected())
    #expect(table.elements == expected())
    #expect(FaultLog.current.take().map(\.kind) == [.viewReadsState])
    withExtendedLifetime(token) {}
  }

  @Test func `so is a total, and one that reads a derived value`() {
    let other = Substance(3)
    let double = Derived { other.state * 2 }
    let sum = board.view(\.rows).sum { $0.due * double.value + double.value }
    #expect(sum.value == board.rows.reduce(0) { $0 + $1.due * 6 + 6 })
    other.mix { $0 = 1 }
    board.mix { $0.rows[id: 5]?.due = 9 }
    #expect(sum.value == board.rows.reduce(0) { $0 + $1.due * 2 + 2 })
    #expect(FaultLog.current.take().map(\.kind) == [.viewReadsState])
  }

  @Test func `so is a closure that makes something of elements, before any is read`() {
    let view = board.view(\.rows).mapped { [board] in "\($0.id) of \(board.limit)" }
    let table = Table<Identified<String, Int>>()
    let token = view.observe { table.apply($0) }
    #expect(FaultLog.current.take().map(\.kind) == [.viewReadsState])
    let before = view.value
    board.mix { $0.limit = 9 }
    #expect(before[3].value == "3 of 5")
    #expect(view[3].value == "3 of 9")
    #expect(table.elements == Array(view))
    withExtendedLifetime(token) {}
  }

  @Test func `the fault names the line of the view`() {
    let view = board.view(\.rows).filter { [board] in $0.due < board.limit }
    let line = #line - 1
    _ = view.count
    #expect(FaultLog.current.take().first?.description.contains("ViewMisuseTests.swift:\(line)") == true)
  }

  @Test func `a parameter may read states`() {
    let view = board.view(\.rows).filter(with: { [board] in board.limit }) { $0.due < $1 }
    board.mix { $0.limit = 2 }
    #expect(view.allSatisfy { $0.due < 2 })
    #expect(view.count == 16)
  }

  @Test(arguments: 0..<8)
  func `NaN is the largest key, and a section`(seed: Int) {
    struct Point: Identifiable, Equatable, Sendable {
      let id: Int
      var x: Double
    }
    struct Points: Sendable { var all: Entities<Point> = [] }
    let points = Substance(Points())
    let view = points.view(\.all).sorted { $0.x }
    let sections = points.view(\.all).sections { $0.x }
    let (table, sectionTable) = (Table<Point>(), SectionTable<Double, Point>())
    let tokens = [view.observe { table.apply($0) }, sections.observe { sectionTable.apply($0) }]
    var dice = Dice(seed + 1)
    for step in 0..<60 {
      let (id, place) = (dice.roll(30), dice.roll(30))
      let x = [.nan, -Double.nan, .infinity, -0.0, 0, 1, 2][dice.roll(7)]
      points.mix { points in
        if step % 3 == 2 {
          points.all.remove(id: id)
        } else if points.all[id: id] != nil {
          points.all[id: id]?.x = x
        } else {
          points.all.insert(Point(id: id, x: x), at: min(place, points.all.count))
        }
      }
      let isBefore = { (a: Point, b: Point) in a.x < b.x || b.x.isNaN && !a.x.isNaN }
      #expect(view.map(\.id) == points.all.sorted(by: isBefore).map(\.id))
      #expect(table.elements.map(\.id) == view.map(\.id))
      #expect(sections.reduce(0) { $0 + $1.rows.count } == points.all.count)
      #expect(sectionTable.identities == sections.map { $0.rows.map(\.id) })
    }
    withExtendedLifetime(tokens) {}
  }

  @Test(arguments: 0..<8)
  func `a comparator and a test that throw dice trap nothing`(seed: Int) {
    let dice = Lock(Dice(seed + 5))
    let view = board.view(\.rows).sorted { _, _ in dice.withLock { $0.roll(2) == 0 } }
    let some = view.filter { _ in dice.withLock { $0.roll(2) == 0 } }
    let sections = some.sections { _ in dice.withLock { $0.roll(3) } }
    let (table, someTable, sectionTable) = (Table<Row>(), Table<Row>(), SectionTable<Int, Row>())
    let tokens = [
      view.observe { table.apply($0) }, some.observe { someTable.apply($0) },
      sections.observe { sectionTable.apply($0) },
    ]
    var edits = Dice(seed)
    for step in 0..<60 {
      let id = edits.roll(50)
      board.mix { board in
        if step % 4 == 3 { board.rows.remove(id: id) }
        board.rows.append(Row(id: id + 1, title: "\(step)", due: step))
      }
      #expect(Set(view.map(\.id)) == Set(board.rows.map(\.id)))
      #expect(table.elements.map(\.id) == view.map(\.id))
      #expect(someTable.elements.map(\.id) == some.map(\.id))
      #expect(sectionTable.count == sections.reduce(0) { $0 + $1.rows.count })
    }
    #expect(Set(table.elements.map(\.id)) == Set(board.rows.map(\.id)))
    withExtendedLifetime(tokens) {}
  }

  @Test func `a removed element that a test hides and an order does not find is removed`() {
    let hidden = Lock<Set<Int>>([])
    let view = board.view(\.rows).filter { row in !hidden.withLock { $0.contains(row.id) } }.sorted { _, _ in
      true
    }
    #expect(view.count == 40)
    #expect(!view.value.content.isDoubtful)
    _ = hidden.withLock { $0.insert(5) }
    board.mix { $0.rows.remove(id: 5) }
    #expect(view.count == 39)
    #expect(!view.contains { $0.id == 5 })
    // From now on each change costs a pass.
    #expect(view.value.content.isDoubtful)
    board.mix { $0.rows.append(Row(id: 50, title: "x", due: 0)) }
    #expect(view.count == 40)
    #expect(view.value.content.isDoubtful)
  }

  @Test func `an identity that changes behind the collection traps nothing`() {
    final class Fickle: Identifiable, Sendable {
      private let number: Lock<Int>
      var id: Int { number.withLock { $0 } }
      init(_ id: Int) { number = Lock(id) }
      func change(to id: Int) { number.withLock { $0 = id } }
    }
    struct Fickles: Sendable { var all: Entities<Fickle> }
    let elements = (0..<50).map { Fickle($0) }
    let fickles = Substance(Fickles(all: Entities(elements)))
    let view = fickles.view(\.all).sorted { -$0.id }
    let sections = fickles.view(\.all).sections { $0.id % 3 }
    let tokens = [view.observe { _ in }, sections.observe { _ in }]
    for (step, element) in elements.enumerated() {
      element.change(to: step * 7 % 20)
      fickles.mix { fickles in
        fickles.all.append(Fickle(100 + step))
        if step % 2 == 0 { fickles.all.remove(at: step % fickles.all.count) }
      }
      #expect(view.count == fickles.all.count)
      #expect(sections.reduce(0) { $0 + $1.rows.count } == fickles.all.count)
    }
    // An object that others can change is a fault of its own.
    _ = FaultLog.current.take()
    withExtendedLifetime(tokens) {}
  }

  @Test func `a joined view whose closures keep their contract is not made from scratch`() {
    let named = board.view(\.rows).joined(with: board.view(\.people), on: \.owner) { $1?.name ?? "nobody" }
    #expect(named.count == 40)
    let lineage = named.value.content.lineage
    board.mix { $0.rows[id: 5]?.owner = 1 }
    #expect(named[id: 5]?.value == "nobody")
    board.mix { $0.people.append(Person(id: 1, name: "Ada")) }
    #expect(named[id: 5]?.value == "Ada")
    #expect(named.value.content.lineage == lineage)
    #expect(!named.value.content.isDoubtful)
  }
}
