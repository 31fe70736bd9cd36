import FlaskViews
import Testing
@testable import KernelFixtures
import TestSupport

@Suite(.ownFlux) struct SectionsTests {
  let board = Substance(
    Board(
      rows: [
        Row(id: 1, title: "a", due: 1, owner: 1), Row(id: 2, title: "b", due: 1, owner: 1),
        Row(id: 3, title: "c", due: 2, owner: 2),
      ],
      people: [Person(id: 1, name: "Ada"), Person(id: 2, name: "Bob")]
    )
  )

  @Test func `sections are in the order of their keys, and rows in the order of the view`() {
    let sections = board.view(\.rows).sorted(.descending) { $0.id }.sections { $0.due }
    #expect(sections.value.description == "[1: [2:b/1, 1:a/1], 2: [3:c/2]]")
    #expect(board.view(\.rows).sections(.descending) { $0.due }.map(\.id) == [2, 1])
    #expect(sections.value.index(of: 2) == 1)
    #expect(sections.value.index(of: 3) == nil)
    #expect(sections.value.rows.map(\.id) == [2, 1, 3])
    #expect(sections.count == 2)
  }

  @Test func `rows and sections come, move and go in the documented order`() {
    let told = Recorder<String>()
    let token = board.view(\.rows).sections { $0.due }.observe { told.append($0.description) }
    #expect(told.take() == ["+ 0: 1\n+ 1: 2\n+ 0.0: 1:a/1\n+ 0.1: 2:b/1\n+ 1.0: 3:c/2"])
    board.mix { $0.rows[id: 2]?.due = 3 }
    #expect(told.take() == ["+ 2: 3\n0.1 > 2.0: 2:b/3\n0.1 ~ 2.0: 2:b/3"])
    board.mix { $0.rows[id: 2]?.title = "x" }
    #expect(told.take() == ["2.0 ~ 2.0: 2:x/3"])
    board.mix { $0.rows.remove(id: 1) }
    #expect(told.take() == ["- 0: 1\n- 0.0: 1:a/1"])
    board.mix { $0.text = "of no concern" }
    #expect(told.take() == [])
    withExtendedLifetime(token) {}
  }

  @Test func `the joined view changes the sections of rows that have not changed`() {
    let names = board.view(\.rows).joined(with: board.view(\.people), on: \.owner) { $1?.name ?? "" }
    let sections = names.sections { $0.value }
    let table = SectionTable<String, Identified<String, Int>>()
    let token = sections.observe { table.apply($0) }
    for (id, name) in [(1, "Cleo"), (2, "Cleo"), (1, "Ada"), (2, "Bob")] {
      board.mix { $0.people[id: id]?.name = name }
      #expect(table.texts == sections.map { "\($0.id): \($0.rows)" })
    }
    board.mix {
      $0.people[id: 1]?.name = "Zoe"
      $0.rows.remove(id: 2)
    }
    #expect(table.texts == sections.map { "\($0.id): \($0.rows)" })
    withExtendedLifetime(token) {}
  }

  @Test func `a section whose first key goes, of a comparator that ties keys, is another one`() {
    board.mix { $0.rows = [Row(id: 1, title: "A", due: 0), Row(id: 2, title: "a", due: 0)] }
    let sections = board.view(\.rows).sections({ $0.title }) { $0.lowercased() < $1.lowercased() }
    let table = SectionTable<String, Row>()
    let token = sections.observe { table.apply($0) }
    #expect(table.texts == ["A: [1:A/0, 2:a/0]"])
    board.mix { $0.rows.remove(id: 1) }
    #expect(table.texts == ["a: [2:a/0]"])
    board.mix { $0.rows.insert(Row(id: 3, title: "A", due: 0), at: 0) }
    #expect(table.texts == ["A: [3:A/0, 2:a/0]"])
    withExtendedLifetime(token) {}
  }

  @Test func `a limited view says nothing of what it does not show`() {
    board.mix { $0.rows = Entities((0..<20).map { Row(id: $0, title: "t", due: $0) }) }
    let told = Recorder<[Int]>()
    let window = board.view(\.rows).sorted { $0.due }.limited(to: 3, offset: 5)
    let token = Derived { window.map(\.id) }.observe { told.append($1) }
    let values = Recorder<Int>()
    let derived = Derived { values.append(window.count) }
    let other = derived.observe { _, _ in }
    board.mix {
      $0.rows[id: 0]?.title = "x"
      $0.rows[id: 1]?.title = "y"
    }
    #expect(told.all == [])
    #expect(values.all == [3])
    withExtendedLifetime((token, other)) {}
  }
}
