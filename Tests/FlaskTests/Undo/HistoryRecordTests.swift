import FlaskHistory
import FlaskInsight
import Testing

@testable import FlaskCore

/// Records of what a history performs.
@Suite struct HistoryRecordTests {
  private struct Paper: Sendable, Equatable { var text = "" }

  private let paper = Flux.$current.withValue(Flux()) { Substance(Paper()) }

  @Test func `records of what a history does have its name and the place of the call`() {
    let history = History(of: paper, fileID: "App/Model.swift", line: 3)
    let trace = Trace(of: paper.flux)
    history.mix("Typing", fileID: "App/Editor.swift", line: 5) { [paper] in paper.prop.text = "a" }
    history.undo(fileID: "App/Menu.swift", line: 7)
    history.redo(fileID: "App/Menu.swift", line: 8)
    let titles = trace.records.filter { $0.name != nil }.map(\.title)
    #expect(
      titles == [
        "mix Typing at App/Editor.swift:5", "mix status of a history at App/Model.swift:3",
        "mix undo at App/Menu.swift:7", "mix status of a history at App/Model.swift:3",
        "mix redo at App/Menu.swift:8", "mix status of a history at App/Model.swift:3",
      ]
    )
  }
}
