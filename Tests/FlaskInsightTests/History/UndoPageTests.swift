import FlaskPrimitives
import FlaskInsight
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

    history.mix("Typing") { document.prop.text += "a" }
    history.mix("Typing") { document.prop.text += "b" }
    #expect(title.withLock { $0 } == "Undo Typing")
    #expect(history.undoCount == 3)
    history.mix(recorded: false) { document.prop.text = fromServer }
    history.undo(.refuse)
    #expect(document.text == "server")
    history.undo(.keep)
    #expect(document.text == "server")
    #expect((history.undoCount, history.redoCount, history.canUndo, history.canRedo) == (2, 0, true, false))
    history.endStep()
    history.removeAll()
    token.cancel()
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
      leavingOut: [\Document.cursor, \Canvas.selection]
    )
    document.mix { $0.cursor = 1 }
    canvas.mix { $0.selection = [1] }
    #expect(history.canUndo == false)
  }
}
