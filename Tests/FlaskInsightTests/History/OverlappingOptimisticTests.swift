import FlaskInsight
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

  @Test func `an element that was added and edited meanwhile is taken back, and what else was done is not`()
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
}
