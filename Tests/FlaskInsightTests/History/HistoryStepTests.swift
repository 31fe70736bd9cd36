import FlaskInsight
import Testing

/// What is a step, and what it is called.
@Suite struct HistoryStepTests {
  @Test func `a step of which nothing is left is none`() {
    let paper = Substance(Paper())
    let history = History(of: paper)
    paper.mix { $0.text = "before" }
    history.mix("Counting") { paper.prop.count = 1 }
    history.mix("Counting") { paper.prop.count = 0 }
    #expect(history.undoCount == 1)
    history.mix("Counting") { paper.prop.count = 2 }
    #expect(history.undoCount == 2)
    history.undo()
    #expect(paper.count == 0)
    #expect(paper.text == "before")
    history.undo()
    #expect(paper.text == "")
    #expect(history.canUndo == false)
  }

  @Test func `records of what a history does have its name and the place of the call`() {
    let paper = Flux.$current.withValue(Flux()) { Substance(Paper()) }
    let history = History(of: paper)
    let trace = Trace(of: paper.flux)
    history.mix("Typing", fileID: "App/Editor.swift", line: 5) { paper.prop.text = "a" }
    history.undo(fileID: "App/Menu.swift", line: 7)
    history.redo(fileID: "App/Menu.swift", line: 8)
    let titles = trace.records.filter { $0.name != nil }.map(\.title)
    #expect(
      titles == [
        "mix Typing at App/Editor.swift:5", "mix undo at App/Menu.swift:7", "mix redo at App/Menu.swift:8",
      ]
    )
  }
}
