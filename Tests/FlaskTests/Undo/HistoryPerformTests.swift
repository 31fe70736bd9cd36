import FlaskActions
import FlaskEntities
import FlaskHistory
import Synchronization
import Testing

/// Actions, mixers, chains and mixes that a history was told about, and what is done to steps afterwards.
@Suite struct HistoryPerformTests {
  private enum Bulk: SubstanceMixer { case clear }
  private final class View {}

  private let flux = Flux()
  private let board: Substance<CardBoard>
  private let count: Substance<Int>

  init() {
    (board, count) = Flux.$current.withValue(flux) {
      let board = ReactiveSubstance(CardBoard.two) { on in
        on(Bulk.clear) { state, _ in state.cards = [] }
        on(CardMoved.self) { state, action in state.cards[id: action.id]?.column = action.column }
        on(CardSaved.self) { state, action in state.cards[id: action.id]?.isSaving = false }
      }
      return (board, Substance(0))
    }
  }

  private func moveCard(_ id: Int, to column: String) -> FluxReceipt {
    flux.dispatcher.dispatch(CardMoved(id: id, column: column))
  }

  @Test func `an action, a mixer, a chain and a mix are no step if they are not recorded`() {
    let history = History(of: board, count)
    let view = View()
    let reactor = Flux.$current.withValue(flux) { Flask.reactor(attachedTo: view, mixing: count) }
    history.perform(recorded: false) { moveCard(7, to: "done") }
    history.perform(recorded: false) {
      Flux.$current.withValue(flux) { _ = Flask.substances(reactTo: Bulk.clear) }
    }
    history.perform(recorded: false) { reactor.mix(count) { $0.prop += 1 }.react() }
    history.perform(recorded: false) { count.mix { $0 += 1 } }
    history.perform(recorded: false) { Flask.mix(board, count) { ($0.title, $1) = ("a", 7) } }
    #expect(board.state == CardBoard(title: "a"))
    #expect(count.state == 7)
    #expect(history.undoCount == 0)
    count.mix { $0 += 1 }
    #expect(history.undoCount == 1)
  }

  @Test func `what is not recorded leaves what can be redone`() {
    let history = History(of: board, count)
    _ = moveCard(7, to: "done")
    history.undo()
    history.perform(recorded: false) { moveCard(8, to: "late") }
    history.redo()
    #expect(board.cards.map(\.column) == ["done", "late"])
  }

  @Test func `what is performed with a name is one step of that name, and one with those of the same name`() {
    let history = History(of: board, count)
    let receipt = history.perform("Move card") {
      count.mix { $0 = 1 }
      return moveCard(7, to: "done")
    }
    guard case .committed(["cards"])? = receipt.outcomeIfKnown else {
      Issue.record("\(receipt)")
      return
    }
    #expect((history.undoCount, history.status.undoName) == (1, "Move card"))
    history.perform("Move card") { count.mix { $0 = 2 } }
    #expect(history.undoCount == 1)
    history.perform {
      count.mix { $0 = 3 }
      board.mix { $0.title = "b" }
    }
    #expect((history.undoCount, history.status.undoName) == (2, nil))
    history.undo()
    history.undo()
    #expect((board.state, count.state) == (CardBoard.two, 0))
    history.redo()
    #expect((board.cards[id: 7]?.column, count.state) == ("done", 2))
    history.redo()
    #expect((board.title, count.state) == ("b", 3))
  }

  @Test func `a closure is passed the states, and what it throws is thrown when nothing was submitted`() {
    let history = History(of: board, count)
    history.perform("Both") { Flask.mix(board, count) { ($0.title, $1) = ("a", 1) } }
    #expect(throws: ServerRefused.self) { try history.perform("None") { throw ServerRefused() } }
    count.mix { $0 = 2 }
    #expect((history.undoCount, history.status.undoName) == (2, nil))
    history.undo()
    history.undo()
    #expect((board.title, count.state) == ("", 0))
  }

  @Test func `what reactions do is not of the kind of what they react to`() {
    let history = History(of: board, count)
    let token = board.observe(\.title) { [count] _, _ in count.mix { $0 += 1 } }
    history.perform(recorded: false) { board.mix { $0.title = "a" } }
    #expect((board.title, count.state, history.undoCount) == ("a", 1, 1))
    history.undo()
    #expect((board.title, count.state) == ("a", 0))
    token.cancel()
  }

  @Test func `a task that is begun while something is performed is as any other`() async {
    let history = History(of: count)
    let task = history.perform(recorded: false) {
      Task { [count] in await count.mix { $0 += 1 }.outcome }
    }
    _ = await task.value
    #expect(history.undoCount == 1)
  }

  @Test func `an action that goes to the main thread is of the kind that it was dispatched with`() async {
    let history = History(of: board)
    let receipt = await Task.detached { [flux] in
      Flux.$current.withValue(flux) {
        history.perform(recorded: false) { CardMoved(id: 7, column: "done").dispatch() }
      }
    }.value
    _ = await receipt.outcome
    #expect((board.cards[id: 7]?.column, history.undoCount) == ("done", 0))
  }

  @Test func `the states of stores are undone`() {
    final class Store: FluxStore<Int>, @unchecked Sendable {
      init() {
        super.init(initialState: 1)
        registerReducer(for: CardSaved.self) { state, action in state = action.id }
      }
    }
    let (store, dispatcher) = Flux.$current.withValue(flux) { (Store(), FluxDispatcher()) }
    dispatcher.register(workers: [store])
    let history = History(of: store, count)
    CardSaved(id: 5).dispatch(with: dispatcher)
    history.perform(recorded: false) { CardSaved(id: 6).dispatch(with: dispatcher) }
    history.undo()
    #expect((store.state, history.undoCount) == (6, 0))
    CardSaved(id: 7).dispatch(with: dispatcher)
    history.undo()
    #expect(store.state == 6)
    history.redo()
    #expect(store.state == 7)
  }

  // MARK: Steps

  @Test func `a step that is dropped stays made`() {
    let history = History(of: count)
    history.mix("One") { [count] in count.prop = 1 }
    history.mix("Two") { [count] in count.prop = 12 }
    history.dropStep()
    #expect((count.state, history.undoCount, history.status.undoName) == (12, 1, "One"))
    history.mix("One") { [count] in count.prop = 13 }
    #expect(history.undoCount == 2)
    history.undo()
    #expect(count.state == 12)
    history.undo()
    // That was made of 1, which others have made 12.
    #expect(count.state == 12)
    history.dropStep()
    #expect((history.undoCount, history.canUndo) == (0, false))
  }

  @Test func `a step that is merged is undone and redone with the one before`() {
    let history = History(of: board, count)
    history.mix("First") { [count] in count.prop = 1 }
    history.perform("Move") { moveCard(7, to: "done") }
    history.perform("Title") { Flask.mix(board, count) { ($0.title, $1) = ("a", 2) } }
    history.mergeStep()
    #expect((history.undoCount, history.status.undoName) == (2, "Move"))
    history.undo()
    #expect((board.state, count.state) == (CardBoard.two, 1))
    history.redo()
    #expect((board.title, board.cards[id: 7]?.column, count.state) == ("a", "done", 2))
    history.mergeStep()
    history.mergeStep()
    #expect((history.undoCount, history.status.undoName) == (1, "First"))
    history.undo()
    #expect((board.state, count.state, history.canUndo) == (CardBoard.two, 0, false))
    history.redo()
    #expect((board.title, board.cards[id: 7]?.column, count.state) == ("a", "done", 2))
  }

  @Test func `what others changed between steps that are merged is kept`() {
    let history = History(of: count)
    count.mix { $0 = 1 }
    history.perform(recorded: false) { count.mix { $0 = 11 } }
    count.mix { $0 = 12 }
    history.mergeStep()
    #expect(history.undoCount == 1)
    history.undo()
    #expect(count.state == 11)
  }

  @Test func `of steps that undo each other nothing is left when they are merged`() {
    let history = History(of: count)
    count.mix { $0 = 1 }
    count.mix { $0 = 2 }
    count.mix { $0 = 1 }
    history.mergeStep()
    #expect((count.state, history.undoCount) == (1, 1))
    history.undo()
    #expect(count.state == 0)
  }
}
