import FlaskEntities
import FlaskHistory
import Synchronization
import Testing

@testable import FlaskActions
@testable import FlaskCore

/// Actions that are shown before a server has confirmed them.
@Suite struct OptimisticActionTests {
  private final class Store: FluxStore<CardBoard>, @unchecked Sendable {
    init() {
      super.init(initialState: .two)
      registerReducer(for: CardMoved.self) { board, action in
        board.cards[id: action.id]?.column = action.column
        board.cards[id: action.id]?.isSaving = true
      }
      registerReducer(for: CardSaved.self) { board, action in board.cards[id: action.id]?.isSaving = false }
    }
  }

  /// Moves a card, and asks the server, which refuses what goes to the column "closed".
  private final class Mover: FluxMiddleware, @unchecked Sendable {
    final class Errors: Sendable { let texts = Mutex<[String]>([]) }
    let errors = Errors()

    init(_ history: History) {
      super.init()
      registerEffect(for: MoveCard.self) { action, dispatch in
        try await history.optimistic("Move card") {
          dispatch(CardMoved(id: action.id, column: action.column))
        } confirmedBy: {
          if action.column == "closed" { throw ServerRefused() }
        }
        history.perform(recorded: false) { dispatch(CardSaved(id: action.id)) }
      }
      registerErrorHandler { [errors] error, _, _ in errors.texts.withLock { $0.append("\(error)") } }
    }
  }

  private let flux = Flux()

  @Test(arguments: [false, true])
  func `an action whose effect fails leaves no step, and undo never brings back that it is saved`(
    isLeftOut: Bool
  ) async {
    let (store, dispatcher) = Flux.$current.withValue(flux) { (Store(), FluxDispatcher()) }
    let history = History(of: store, leavingOut: isLeftOut ? [\Card.isSaving] : [])
    let mover = Mover(history)
    dispatcher.register(workers: [store, mover])

    await MoveCard(id: 7).dispatch(with: dispatcher).finished
    #expect(store.state.cards[id: 7] == Card(id: 7, column: "done"))
    await MoveCard(id: 8, column: "closed").dispatch(with: dispatcher).finished
    #expect(mover.errors.texts.withLock { $0 } == ["ServerRefused()"])
    #expect(store.state.cards[id: 8] == Card(id: 8))
    #expect((history.undoCount, history.status.undoName) == (1, "Move card"))
    history.undo()
    #expect(store.state == .two)
    history.redo()
    #expect(store.state.cards[id: 7] == Card(id: 7, column: "done"))
  }
}
