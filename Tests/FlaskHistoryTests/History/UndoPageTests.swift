import FlaskEntities
import FlaskPrimitives
import FlaskHistory
import Synchronization
import Testing

private struct Document: FlaskState {
  var title = ""
  var text = ""
  var pages = 0
  var cursor = 0
}

private struct Canvas: FlaskState {
  var zoom = 0
  var selection: [Int] = []
}

/// What docs/undo.md shows.
@Suite struct UndoPageTests {
  @Test func `the forms of the page on undo`() {
    let (document, canvas) = Flux.$current.withValue(Flux()) { (Substance<Document>(), Substance<Canvas>()) }
    let fromServer = "server"
    let title = Mutex("")

    let history = History(of: document, canvas)
    let token = history.status.observe(\.undoName) { _, name in
      title.withLock { $0 = name.map { "Undo \($0)" } ?? "Undo" }
    }

    document.mix { $0.title = "Draft" }
    Flask.mix(document, canvas) { document, canvas in
      document.pages += 1
      canvas.zoom = 1
    }
    history.undo()
    #expect((document.pages, canvas.zoom) == (0, 0))
    history.redo()
    #expect((document.pages, canvas.zoom) == (1, 1))

    history.perform("Typing") { document.mix { $0.text += "a" } }
    history.perform("Typing") { document.mix { $0.text += "b" } }
    #expect(title.withLock { $0 } == "Undo Typing")
    #expect(history.undoCount == 3)
    history.perform(recorded: false) { document.mix { $0.text = fromServer } }
    history.undo(.refuse)
    #expect(document.text == "server")
    history.undo(.keep)
    #expect(document.text == "server")
    #expect((history.undoCount, history.redoCount, history.canUndo, history.canRedo) == (2, 0, true, false))
    history.mix("Typing") { document.prop.text += "c" }
    history.perform("Both") {
      Flask.mix(document, canvas) { document, canvas in (document.pages, canvas.zoom) = (7, 7) }
    }
    history.mergeStep()
    #expect(history.undoCount == 3)
    history.dropStep()
    history.endStep()
    history.removeAll()
    token.cancel()
  }

  @Test func `a change that a server has yet to confirm`() async throws {
    struct Server {
      func move(_ id: Int, to column: String) async throws {}
    }
    let (board, server) = (Flux.$current.withValue(Flux()) { Substance(CardBoard.two) }, Server())
    let history = History(of: board)
    try await history.optimistic("Move card") {
      board.mix {
        $0.cards[id: 7]?.column = "done"
        $0.cards[id: 7]?.isSaving = true
      }
    } confirmedBy: {
      try await server.move(7, to: "done")
    }
    history.perform(recorded: false) { board.mix { $0.cards[id: 7]?.isSaving = false } }
    #expect((board.cards[id: 7], history.undoCount) == (Card(id: 7, column: "done"), 1))
    history.undo()
    #expect(board.state == .two)
    history.redo()
    #expect(board.cards[id: 7] == Card(id: 7, column: "done"))
  }

  @Test func `a history with everything said`() {
    let (document, canvas) = Flux.$current.withValue(Flux()) { (Substance<Document>(), Substance<Canvas>()) }
    let history = History(
      of: document,
      canvas,
      coalescing: .byName(within: .seconds(2)),
      policy: .refuse,
      steps: 200,
      bytes: 8 << 20,
      leavingOut: [\Document.cursor, \Canvas.selection, \Card.isSaving]
    )
    document.mix { $0.cursor = 1 }
    canvas.mix { $0.selection = [1] }
    #expect(history.canUndo == false)
  }
}
