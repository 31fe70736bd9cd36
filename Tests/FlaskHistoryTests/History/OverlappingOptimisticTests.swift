import FlaskEntities
import FlaskHistory
import Testing

/// Changes that have yet to be confirmed, and that overlap with each other or with others.
@Suite struct OverlappingOptimisticTests {
  private let board: Substance<CardBoard>
  private let count: Substance<Int>

  init() {
    (board, count) = Flux.$current.withValue(Flux()) { (Substance(CardBoard.two), Substance(0)) }
  }

  @Test(arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
  func `changes of one value that all fail leave nothing behind, whatever the order`(order: [Int]) async {
    let history = History(of: board)
    let names = ["first", "second", "third"]
    let answers = names.map { _ in AsyncStream<Void>.makeStream() }
    var tasks: [Task<Void, any Error>] = []
    for (name, answer) in zip(names, answers) {
      let isMade = AsyncStream<Void>.makeStream()
      tasks.append(
        Task { [board] in
          try await history.optimistic(name) {
            board.mix { $0.title = name }
          } confirmedBy: {
            isMade.continuation.finish()
            for await _ in answer.stream {}
            throw ServerRefused()
          }
        }
      )
      for await _ in isMade.stream {}
    }
    for index in order {
      answers[index].continuation.finish()
      _ = await tasks[index].result
    }
    #expect((board.state, history.undoCount) == (CardBoard.two, 0))
  }

  @Test func `an element that was added and edited meanwhile is undone, and what else was done is not`()
    async
  {
    let history = History(of: board)
    await #expect(throws: ServerRefused.self) {
      try await history.optimistic {
        board.mix { $0.cards.append(Card(id: 9)) }
      } confirmedBy: {
        board.mix { $0.cards[id: 9]?.column = "done" }
        history.perform(recorded: false) { board.mix { $0.cards[id: 9]?.text = "theirs" } }
        board.mix { $0.cards.append(Card(id: 10)) }
        throw ServerRefused()
      }
    }
    #expect(board.cards.map(\.id) == [7, 8, 10])
    #expect(history.undoCount == 1)
    history.undo()
    #expect(board.state == .two)
  }

  @Test func `a change that was merged with an older step, undone and refused leaves the older one undone`()
    async
  {
    let history = History(of: board, count)
    count.mix { $0 = 1 }
    await #expect(throws: ServerRefused.self) {
      try await history.optimistic {
        board.mix { $0.cards[id: 7]?.column = "done" }
      } confirmedBy: {
        history.mergeStep()
        history.undo()
        #expect((board.state, count.state) == (CardBoard.two, 0))
        throw ServerRefused()
      }
    }
    #expect((board.state, count.state) == (CardBoard.two, 0))
    history.redo()
    #expect((board.state, count.state) == (CardBoard.two, 1))
  }

  /// Moves a card as a change that is refused after something else was done.
  private func fail(_ history: History, meanwhile: () -> Void) async {
    await #expect(throws: ServerRefused.self) {
      try await history.optimistic {
        board.mix { $0.cards[id: 7]?.column = "done" }
      } confirmedBy: {
        meanwhile()
        throw ServerRefused()
      }
    }
  }

  @Test func `steps that were merged while a change waited are undone together once it failed`() async {
    let history = History(of: board, count)
    count.mix { $0 = 1 }
    board.mix { $0.title = "b" }
    await fail(history) {
      history.undo()
      history.mergeStep()
      count.mix { $0 = 3 }
      history.mergeStep()
    }
    #expect((history.undoCount, count.state, board.title) == (1, 3, "b"))
    history.undo()
    #expect((count.state, board.state) == (0, CardBoard.two))
  }

  @Test func `a restored step that was merged while a change waited is undone as it was`() async throws {
    struct Number: FlaskState, Equatable, Codable { var k = 0, m = 0, o = 0 }
    let number = Flux.$current.withValue(Flux()) { Substance(Number()) }
    let history = History(of: number)
    number.mix { $0.k = 1 }
    try await history.restore(from: try await history.archived())
    await #expect(throws: ServerRefused.self) {
      try await history.optimistic {
        number.mix { $0.o = 5 }
      } confirmedBy: {
        history.undo()
        number.mix { $0.m = 2 }
        history.mergeStep()
        throw ServerRefused()
      }
    }
    #expect(number.state == Number(k: 1, m: 2))
    history.undo()
    #expect(number.state == Number())
  }

  @Test func `a step that is nothing without the change is removed`() async {
    let history = History(of: board)
    await fail(history) {
      history.perform("F") { board.mix { $0.cards[id: 7]?.column = "late" } }
      history.perform("F") { board.mix { $0.cards[id: 7]?.column = "todo" } }
    }
    #expect((board.state, history.undoCount) == (CardBoard.two, 0))
  }
}
