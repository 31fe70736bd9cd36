import FlaskInsight
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
  func `an element that came is taken back whatever was left out of it, and comes back as it was`(
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
}
