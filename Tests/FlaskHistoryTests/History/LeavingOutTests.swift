import FlaskEntities
import FlaskHistory
import Synchronization
import Testing

/// Keys of elements that take no part in a history.
@Suite struct LeavingOutTests {
  private let board = Flux.$current.withValue(Flux()) { Substance(CardBoard.two) }

  @Test func `a key of an element is left out of every element`() {
    let history = History(of: board, leavingOut: [\Card.isSaving])
    board.mix { $0.cards[id: 7]?.isSaving = true }
    #expect(history.canUndo == false)
    board.mix {
      $0.cards[id: 7]?.column = "done"
      $0.cards[id: 8]?.isSaving = true
    }
    board.mix { $0.cards[id: 7]?.isSaving = false }
    #expect(history.undoCount == 1)
    history.undo()
    #expect(board.cards.map(\.column) == ["todo", "todo"])
    #expect(board.cards.map(\.isSaving) == [false, true])
    board.mix { $0.cards[id: 8]?.isSaving = false }
    history.redo()
    #expect(board.cards.map(\.column) == ["done", "todo"])
    #expect(board.cards.map(\.isSaving) == [false, false])
  }

  @Test(arguments: [History.Policy.keep, .refuse])
  func `an element that came is undone whatever was left out of it, and comes back as it was`(
    policy: History.Policy
  ) {
    let history = History(of: board, policy: policy, leavingOut: [\Card.isSaving])
    board.mix { $0.cards.append(Card(id: 9, column: "late", isSaving: true)) }
    board.mix { $0.cards[id: 9]?.isSaving = false }
    #expect(history.undoCount == 1)
    history.undo()
    #expect(board.state == .two)
    history.redo()
    #expect(board.cards[id: 9] == Card(id: 9, column: "late"))
  }

  @Test func `an element that others changed beside what is left out stays`() {
    let history = History(of: board, leavingOut: [\Card.isSaving])
    board.mix { $0.cards.append(Card(id: 9)) }
    history.perform(recorded: false) { board.mix { $0.cards[id: 9]?.text = "theirs" } }
    history.undo()
    #expect(board.cards[id: 9]?.text == "theirs")
  }

  @Test func `a key of an element of an element is left out, beside keys of the state`() {
    let faults = Mutex(0)
    board.flux.onFault = { _ in faults.withLock { $0 += 1 } }
    let history = History(of: board, leavingOut: [\Vote.isNew, \CardBoard.filter, \Card.text])
    board.mix { $0.cards[id: 7]?.votes = [Vote(id: "a")] }
    board.mix { $0.cards[id: 7]?.votes[id: "a"]?.isNew = false }
    board.mix { $0.filter.text = "x" }
    board.mix { $0.cards[id: 8]?.text = "typed" }
    #expect(history.undoCount == 1)
    board.mix { $0.cards[id: 7]?.votes[id: "a"]?.count = 2 }
    history.undo()
    #expect(board.cards[id: 7]?.votes == [Vote(id: "a", count: 1, isNew: false)])
    history.undo()
    history.redo()
    #expect(board.cards[id: 7]?.votes == [Vote(id: "a", count: 1, isNew: false)])
    #expect((board.filter.text, board.cards[id: 8]?.text) == ("x", "typed"))
    #expect(faults.withLock { $0 } == 0)
  }

  @Test func `what is stored nowhere can't be left out of elements, nor what is neither state nor element`() {
    let faults = Mutex<[FlaskFault.Kind]>([])
    board.flux.onFault = { fault in faults.withLock { $0.append(fault.kind) } }
    let unknown: [AnyKeyPath] = [\Card.text.count, \CardBoard.Filter.text, \CardBoard.cards.count]
    let history = History(of: board, leavingOut: unknown)
    #expect(faults.withLock { $0 } == [.unknownKey, .unknownKey, .unknownKey])
    board.mix { $0.filter.text = "x" }
    #expect(history.canUndo)
  }

  private struct Boards: Sendable, Equatable {
    var maybe: Entities<Card>? = [Card(id: 1)]
    var named: [String: Entities<Card>] = ["a": [Card(id: 1)]]
    var listed: [Entities<Card>] = [[Card(id: 1)]]
    var board: CardBoard? = CardBoard(cards: [Card(id: 1)])
  }

  @Test func `a key of elements is left out in whatever holds them`() {
    let boards = Flux.$current.withValue(Flux()) { Substance(Boards()) }
    let history = History(of: boards, leavingOut: [\Card.isSaving])
    @Sendable func toggle(_ state: inout Boards) {
      state.maybe?[id: 1]?.isSaving.toggle()
      state.named["a"]?[id: 1]?.isSaving.toggle()
      state.listed[0][id: 1]?.isSaving.toggle()
      state.board?.cards[id: 1]?.isSaving.toggle()
    }
    boards.mix { toggle(&$0) }
    #expect(history.undoCount == 0)
    boards.mix {
      toggle(&$0)
      $0.maybe?[id: 1]?.text = "a"
      $0.named["a"]?[id: 1]?.text = "a"
      $0.listed[0][id: 1]?.text = "a"
      $0.board?.cards[id: 1]?.text = "a"
    }
    boards.mix { toggle(&$0) }
    history.undo()
    var expected = Boards()
    toggle(&expected)
    #expect(boards.state == expected)
  }
}
