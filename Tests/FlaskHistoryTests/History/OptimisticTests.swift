import FlaskEntities
import FlaskHistory
import Synchronization
import Testing

/// Changes that have yet to be confirmed.
@Suite struct OptimisticTests {
  private let flux = Flux()
  private let board: Substance<CardBoard>
  private let count: Substance<Int>

  init() {
    (board, count) = Flux.$current.withValue(flux) { (Substance(CardBoard.two), Substance(0)) }
  }

  /// Moves a card as a change that is refused after something else was done.
  private func fail(_ history: History, id: Int = 7, meanwhile: () -> Void = {}) async {
    await #expect(throws: ServerRefused.self) {
      try await history.optimistic("Move card") {
        board.mix {
          $0.cards[id: id]?.column = "done"
          $0.cards[id: id]?.isSaving = true
        }
      } confirmedBy: {
        meanwhile()
        throw ServerRefused()
      }
    }
  }

  private func columns() -> [String] { board.cards.map(\.column) }
  private func areSaving() -> [Bool] { board.cards.map(\.isSaving) }

  // MARK: It is not answered

  @Test func `a change that is not answered is reported when 10,000 commits are kept for it`() async throws {
    let faults = Mutex<[FlaskFault]>([])
    flux.onFault = { fault in faults.withLock { $0.append(fault) } }
    let history = History(of: count)
    try await history.optimistic("Add") {
      count.mix { $0 += 1 }
    } confirmedBy: {
      for _ in 0..<9_998 { count.mix { $0 += 1 } }
      #expect(faults.withLock { $0.count } == 0)
      for _ in 0..<10 { count.mix { $0 += 1 } }
    }
    #expect(faults.withLock { $0.map(\.kind) } == [.backlog])
    #expect(faults.withLock { $0.first?.fileID } == "FlaskHistoryTests/OptimisticTests.swift")
  }

  // MARK: It fails

  @Test func `what failed is undone, keys that are left out too`() async {
    let history = History(of: board, leavingOut: [\Card.isSaving])
    await fail(history) {
      #expect(columns() == ["done", "todo"])
      #expect((areSaving(), history.undoCount) == ([true, false], 1))
    }
    #expect(board.state == .two)
    #expect((history.canUndo, history.canRedo) == (false, false))
  }

  @Test func `what others changed meanwhile survives`() async {
    let history = History(of: board, count)
    await fail(history) {
      history.perform(recorded: false) { board.mix { $0.cards[id: 8]?.column = "theirs" } }
      board.mix { $0.cards[id: 7]?.text = "mine" }
      board.mix { $0.cards.insert(Card(id: 1), at: 0) }
      count.mix { $0 = 5 }
    }
    #expect(columns() == ["todo", "todo", "theirs"])
    #expect((board.cards[id: 7]?.text, areSaving(), count.state) == ("mine", [false, false, false], 5))
    #expect(history.undoCount == 3)
    while history.canUndo { history.undo() }
    #expect(columns() == ["todo", "theirs"])
    #expect((board.cards[id: 7]?.text, count.state) == ("", 0))
    while history.canRedo { history.redo() }
    #expect((columns(), board.cards[id: 7]?.text) == (["todo", "todo", "theirs"], "mine"))
  }

  @Test func `a later step over the same value leads back to what was before`() async {
    let history = History(of: board)
    await fail(history) { board.mix { $0.cards[id: 7]?.column = "late" } }
    #expect(columns() == ["late", "todo"])
    #expect(history.undoCount == 1)
    history.undo()
    #expect(columns() == ["todo", "todo"])
    history.redo()
    #expect(columns() == ["late", "todo"])
  }

  @Test func `a later step that was undone is redone from what was before`() async {
    let history = History(of: board)
    await fail(history) {
      board.mix { $0.cards[id: 7]?.column = "late" }
      history.undo()
      #expect(columns() == ["done", "todo"])
    }
    #expect((columns(), history.undoCount, history.redoCount) == (["todo", "todo"], 0, 1))
    history.redo()
    #expect(columns() == ["late", "todo"])
    history.undo()
    #expect(columns() == ["todo", "todo"])
  }

  @Test func `later steps in a list stand where they would be without the change`() async {
    let list = Flux.$current.withValue(flux) { Substance([1, 2, 3]) }
    let history = History(of: list)
    await #expect(throws: ServerRefused.self) {
      try await history.optimistic {
        list.mix { $0.insert(0, at: 0) }
      } confirmedBy: {
        list.mix { $0[3] = 30 }
        throw ServerRefused()
      }
    }
    #expect(list.state == [1, 2, 30])
    history.undo()
    #expect(list.state == [1, 2, 3])
    history.redo()
    #expect(list.state == [1, 2, 30])
  }

  @Test func `steps before it stay as they were`() async {
    let history = History(of: board)
    board.mix { $0.cards[id: 7]?.column = "done" }
    board.mix { $0.cards[id: 7]?.column = "todo" }
    await fail(history)
    #expect(history.undoCount == 2)
    history.undo()
    #expect(columns() == ["done", "todo"])
    history.undo()
    #expect(columns() == ["todo", "todo"])
    history.redo()
    #expect(columns() == ["done", "todo"])
  }

  @Test func `a change that was undone before it failed is not undone twice`() async {
    let history = History(of: board, leavingOut: [\Card.isSaving])
    await fail(history) {
      history.undo()
      #expect((columns(), areSaving()) == (["todo", "todo"], [true, false]))
      history.perform(recorded: false) { board.mix { $0.cards[id: 7]?.column = "done" } }
    }
    #expect((columns(), areSaving()) == (["done", "todo"], [false, false]))
    #expect((history.canUndo, history.canRedo) == (false, false))
  }

  @Test func `a change that was undone and redone is undone`() async {
    let history = History(of: board)
    await fail(history) {
      history.undo()
      history.redo()
    }
    #expect(board.state == .two)
    #expect((history.canUndo, history.canRedo) == (false, false))
  }

  @Test func `a change whose step was removed is undone`() async {
    let history = History(of: board, count, steps: 2)
    await fail(history) { for number in 1...3 { count.mix { $0 = number } } }
    #expect((board.state, history.undoCount) == (CardBoard.two, 2))
    await fail(history) { history.dropStep() }
    #expect((board.state, history.undoCount) == (CardBoard.two, 1))
    await fail(history) { history.removeAll() }
    #expect((board.state, history.undoCount) == (CardBoard.two, 0))
  }

  @Test func `a change whose step was merged is undone out of that`() async {
    let history = History(of: board, count)
    count.mix { $0 = 1 }
    await fail(history) { history.mergeStep() }
    #expect((board.state, count.state, history.undoCount) == (CardBoard.two, 1, 1))
    history.undo()
    #expect((board.state, count.state) == (CardBoard.two, 0))
    history.redo()
    #expect((board.state, count.state) == (CardBoard.two, 1))
  }

  @Test func `several substances are undone in one operation`() async {
    let history = History(of: board, count)
    let told = Mutex<[String]>([])
    let token = count.observe(\.self) { [board] _, count in
      told.withLock { $0.append("\(count) \(board.title)") }
    }
    await #expect(throws: ServerRefused.self) {
      try await history.optimistic {
        Flask.mix(board, count) { ($0.title, $1) = ("a", 1) }
      } confirmedBy: {
        throw ServerRefused()
      }
    }
    #expect(told.withLock { $0 } == ["1 a", "0 "])
    token.cancel()
  }

  @Test func `a change that could not be made is not confirmed`() async throws {
    let history = History(of: board)
    await #expect(throws: ServerRefused.self) {
      try await history.optimistic {
        board.mix { _ in throw ServerRefused() }
      } confirmedBy: {
        Issue.record("it was confirmed")
      }
    }
    let lock = flux.lock()
    let waiting = Task { [board] in
      try await history.optimistic {
        board.mix { $0.title = "a" }
      } confirmedBy: {
        Issue.record("it was confirmed")
      }
    }
    while flux.waitingCount == 0 { await Task.yield() }
    flux.purgeFluxQueue()
    lock.release()
    await #expect(throws: FluxError.purged) { try await waiting.value }
    #expect((board.state, history.canUndo) == (CardBoard.two, false))
  }

  // MARK: It holds

  @Test func `a change that holds is one step at its place, whatever was done meanwhile`() async throws {
    let history = History(of: board, count)
    count.mix { $0 = 1 }
    let answer = try await history.optimistic("Move card") {
      board.mix { $0.cards[id: 7]?.column = "done" }
    } confirmedBy: {
      count.mix { $0 = 2 }
      history.perform("Move card") { board.mix { $0.cards[id: 7]?.column = "late" } }
      return "yes"
    }
    #expect((answer, history.undoCount) == ("yes", 4))
    history.undo()
    #expect((columns(), count.state) == (["done", "todo"], 2))
    history.undo()
    #expect((columns(), count.state, history.status.undoName) == (["done", "todo"], 1, "Move card"))
    history.undo()
    #expect((columns(), count.state) == (["todo", "todo"], 1))
    while history.canRedo { history.redo() }
    #expect((columns(), count.state, history.undoCount) == (["late", "todo"], 2, 4))
  }

  @Test func `changes of one name that are not confirmed yet are steps of their own`() async throws {
    let history = History(of: board)
    history.perform("Move card") { board.mix { $0.title = "a" } }
    try await history.optimistic("Move card") {
      board.mix { $0.cards[id: 8]?.column = "done" }
    } confirmedBy: {
      await fail(history)
      history.perform("Move card") { board.mix { $0.title = "b" } }
    }
    #expect((history.undoCount, columns()) == (3, ["todo", "done"]))
    history.undo()
    #expect(board.title == "a")
    history.undo()
    #expect((board.title, columns()) == ("a", ["todo", "todo"]))
    history.undo()
    #expect(board.state == .two)
  }

  @Test func `what undo took back before it was confirmed can be redone`() async throws {
    let history = History(of: board)
    try await history.optimistic {
      board.mix { $0.cards[id: 7]?.column = "done" }
    } confirmedBy: {
      history.undo()
    }
    #expect((board.state, history.undoCount, history.redoCount) == (CardBoard.two, 0, 1))
    history.redo()
    #expect(columns() == ["done", "todo"])
  }
}
