import FlaskViews
import Testing
@testable import KernelFixtures
import TestSupport

@Suite(.ownFlux) struct LiveViewTests {
  let board = Substance(
    Board(
      rows: [
        Row(id: 1, title: "milk", due: 3), Row(id: 2, title: "eggs", due: 1),
        Row(id: 3, title: "ham", due: 2, isDone: true), Row(id: 4, title: "rye", due: 1),
      ]
    )
  )

  @Test func `a view shows the elements in the order of the collection`() {
    let view = board.view(\.rows)
    #expect(view.map(\.id) == [1, 2, 3, 4])
    board.mix { $0.rows.move(id: 4, to: 0) }
    #expect(view.map(\.id) == [4, 1, 2, 3])
  }

  @Test func `a filtered view follows each commit`() {
    let open = board.view(\.rows).filter { !$0.isDone }
    #expect(open.map(\.id) == [1, 2, 4])
    board.mix { $0.rows[id: 3]?.isDone = false }
    #expect(open.map(\.id) == [1, 2, 3, 4])
    board.mix { $0.rows.remove(id: 1) }
    #expect(open.map(\.id) == [2, 3, 4])
    #expect(open.count == 3)
    #expect(open.first?.title == "eggs")
    #expect(open[1].title == "ham")
    #expect(open[id: 4]?.title == "rye")
    #expect(open[id: 1] == nil)
  }

  @Test func `tied keys keep the order of the collection`() {
    let byDue = board.view(\.rows).sorted { $0.due }
    #expect(byDue.map(\.id) == [2, 4, 3, 1])
    board.mix { $0.rows.move(id: 4, to: 0) }
    #expect(byDue.map(\.id) == [4, 2, 3, 1])
    #expect(board.view(\.rows).sorted(.descending) { $0.due }.map(\.id) == [1, 3, 4, 2])
  }

  @Test func `several keys count in their order`() {
    let view = board.view(\.rows).sorted { ($0.due, $0.title) }
    #expect(view.map(\.title) == ["eggs", "rye", "ham", "milk"])
    let descending = board.view(\.rows).sorted(.descending) { ($0.due, $0.title) }
    #expect(descending.map(\.title) == ["milk", "ham", "rye", "eggs"])
  }

  @Test func `a comparator orders`() {
    let view = board.view(\.rows).sorted { $0.title.count > $1.title.count }
    #expect(view.map(\.title) == ["milk", "eggs", "ham", "rye"])
  }

  @Test func `a parameter that is state filters again`() {
    let found = board.view(\.rows).filter(with: { board.text }) { row, text in row.title.hasPrefix(text) }
    #expect(found.map(\.id) == [1, 2, 3, 4])
    board.mix { $0.text = "m" }
    #expect(found.map(\.title) == ["milk"])
    board.mix { $0.rows.append(Row(id: 5, title: "mint", due: 0)) }
    #expect(found.map(\.title) == ["milk", "mint"])
  }

  @Test func `a limited view shows a window`() {
    let sorted = board.view(\.rows).sorted { $0.title }
    #expect(sorted.prefix(2).map(\.title) == ["eggs", "ham"])
    #expect(sorted.limited(to: 2, offset: 1).map(\.title) == ["ham", "milk"])
    #expect(sorted.limited(to: 2, offset: 9).isEmpty)
    #expect(sorted.limited(to: -1, offset: -1).isEmpty)
    #expect(sorted.limited(to: .max, offset: 3).map(\.title) == ["rye"])
  }

  @Test func `operators after a limit get what it shows`() {
    let first = board.view(\.rows).sorted { $0.title }.prefix(3).filter { !$0.isDone }
    #expect(first.map(\.title) == ["eggs", "milk"])
    board.mix { $0.rows.remove(id: 2) }
    #expect(first.map(\.title) == ["milk", "rye"])
  }

  @Test func `an array is shown as entities are`() {
    let open = board.view(\.list).filter { !$0.isDone }.sorted { $0.due }
    #expect(open.isEmpty)
    board.mix { $0.list = [Row(id: 1, title: "a", due: 2), Row(id: 2, title: "b", due: 1)] }
    #expect(open.map(\.id) == [2, 1])
    board.mix {
      $0.list.swapAt(0, 1); $0.list[1].isDone = true
    }
    #expect(open.map(\.id) == [2])
  }

  @Test func `of elements with one identity the first is shown, and is the one that a scope mixes`() {
    let view = board.view(\.list)
    board.mix {
      $0.list = [
        Row(id: 1, title: "a", due: 2), Row(id: 2, title: "b", due: 1), Row(id: 1, title: "c", due: 0),
      ]
    }
    #expect(view.map(\.title) == ["a", "b"])
    view.scope(id: 1)?.mix { $0.title = "d" }
    #expect(view.map(\.title) == ["d", "b"])
    board.mix { $0.list.removeLast() }
    #expect(view.map(\.title) == ["d", "b"])
  }

  @Test func `a row gives a scope to mix through`() throws {
    let open = board.view(\.rows).filter { !$0.isDone }
    try #require(open.scope(id: 2)).mix { $0.isDone = true }
    #expect(open.map(\.id) == [1, 4])
    #expect(board.rows[id: 2]?.isDone == true)
    #expect(open.scope(id: 9) == nil)
    board.mix { $0.list = [Row(id: 7, title: "x", due: 0)] }
    let list = board.view(\.list)
    try #require(list.scope(id: 7)).mix { $0.title = "y" }
    #expect(list.map(\.title) == ["y"])
  }

  @Test func `a snapshot shows a view beside its collection`() {
    let open = board.view(\.rows).filter { !$0.isDone }
    let (rows, state) = Flask.snapshot(open, board)
    #expect(rows.map(\.id) == state.rows.filter { !$0.isDone }.map(\.id))
    #expect(rows.index(id: 4) == 2)
    #expect(rows.description == "[1:milk/3, 2:eggs/1, 4:rye/1]")
  }

  @Test func `an observer is passed the present elements and then each commit once`() {
    let open = board.view(\.rows).filter { !$0.isDone }.sorted { $0.due }
    let told = Recorder<String>()
    let token = open.observe { changes in told.append(changes.description) }
    board.mix { $0.rows[id: 1]?.due = 0 }
    board.mix { $0.rows[id: 3]?.title = "nobody sees this" }
    board.mix { $0.rows[id: 2]?.title = "egg" }
    board.mix {
      $0.rows.remove(id: 4)
      $0.rows.append(Row(id: 5, title: "new", due: 9))
    }
    token.cancel()
    board.mix { $0.rows.removeAll() }
    #expect(
      told.all == [
        "+ 0: 2:eggs/1\n+ 1: 4:rye/1\n+ 2: 1:milk/3", "2 > 0: 1:milk/0\n2 ~ 0: 1:milk/0",
        "1 ~ 1: 2:egg/1", "- 2: 4:rye/1\n+ 2: 5:new/9",
      ]
    )
  }

  @Test func `optional keys are sorted, and elements without one come where they are said to`() {
    struct Note: Identifiable, Equatable, Sendable {
      let id: Int
      var due: Int?
    }
    struct Notes: Sendable { var notes: Entities<Note> = [] }
    let notes = Substance(
      Notes(notes: [Note(id: 1, due: 3), Note(id: 2), Note(id: 3, due: 1), Note(id: 4), Note(id: 5, due: 2)])
    )
    let view = notes.view(\.notes)
    #expect(view.sorted { $0.due }.map(\.id) == [3, 5, 1, 2, 4])
    #expect(view.sorted(.descending) { $0.due }.map(\.id) == [1, 5, 3, 2, 4])
    #expect(view.sorted(nils: .first) { $0.due }.map(\.id) == [2, 4, 3, 5, 1])
    #expect(view.sorted(.descending, nils: .first) { $0.due }.map(\.id) == [2, 4, 1, 5, 3])
    #expect(view.sorted { ($0.id % 2, $0.due ?? 9, -$0.id) }.map(\.id) == [4, 2, 3, 5, 1])
    #expect(view.sorted { (0, $0.id % 2, $0.due ?? 9, -$0.id) }.map(\.id) == [4, 2, 3, 5, 1])
    #expect(view.sorted(.descending) { (0, 0, $0.id % 2, $0.due ?? 9, $0.id) }.map(\.id) == [1, 5, 3, 4, 2])
    #expect(view.sorted { (0, 0, 0, 0, 0, -$0.id) }.map(\.id) == [5, 4, 3, 2, 1])
  }

  @Test func `a parameter is compared by its own equality`() {
    struct Search: FlaskState, Equatable {
      var _text = ""
      var n = 0
    }
    struct Blind: Sendable { var text = "" }
    let board = Substance(Board(rows: [Row(id: 1, title: "a", due: 0), Row(id: 2, title: "b", due: 0)]))
    let search = Substance(Search())
    let blind = Substance(Blind())
    let found = board.view(\.rows).filter(with: { search.state }) {
      $0.title.contains($1._text) || $1._text.isEmpty
    }
    let other = board.view(\.rows).filter(with: { blind.state }) {
      $0.title.contains($1.text) || $1.text.isEmpty
    }
    #expect(found.map(\.id) == [1, 2])
    #expect(other.map(\.id) == [1, 2])
    search.mix {
      $0._text = "b"
      $0.n = 1
    }
    blind.mix { $0.text = "a" }
    #expect(found.map(\.id) == [2])
    #expect(other.map(\.id) == [1])
  }
}
