import FlaskEntities
import FlaskHistory
import Testing

@testable import FlaskCore
import TestSupport

/// A state whose parts are lists, sets and texts.
private struct Notebook: FlaskState, Equatable, Codable {
  struct Note: Sendable, Equatable, Codable, Identifiable {
    let id: Int
    var text = ""
    var tags: [String] = []
  }

  var lines = (0..<50).map { "line \($0)" }
  var notes = Entities((0..<50).map { Note(id: $0) })
  var marks: Set<Int> = [1, 2, 3]
  var pages = ["a": 1, "b": 2]
  var text = String(repeating: "What is long is held by its pieces. ", count: 20)
  var draft: Note?
}

/// Steps that go on, over values that hold others: what a step holds is what it has changed, not each edit.
@Suite struct ComposedStepTests {
  private let notebook = Flux.$current.withValue(Flux()) { Substance(Notebook()) }

  /// What is done and taken back again, by the part of the state.
  private static let theseAndBack: [@Sendable (inout Notebook, Bool) -> Void] = [
    { if $1 { $0.lines.removeLast() } else { $0.lines.append("new") } },
    { if $1 { $0.lines.append("line 49") } else { $0.lines.removeLast() } },
    { $0.lines[7] = $1 ? "line 7" : "other" },
    { if $1 { $0.notes.remove(id: 99) } else { $0.notes.insert(Notebook.Note(id: 99), at: 3) } },
    { $0.notes.move(id: 4, to: $1 ? 4 : 9) },
    { $0.notes[id: 7]?.text = $1 ? "" : "written" },
    { $0.notes[id: 7]?.tags = $1 ? [] : ["new"] },
    { if $1 { $0.marks.remove(9) } else { $0.marks.insert(9) } },
    { $0.pages["c"] = $1 ? nil : 3 },
    { $0.pages["a"] = $1 ? 1 : 7 },
    { if $1 { $0.text.removeLast(3) } else { $0.text += "end" } },
    { $0.draft = $1 ? nil : Notebook.Note(id: 1) },
  ]

  @Test(arguments: theseAndBack.indices)
  func `a step that came to nothing is none`(index: Int) {
    let history = History(of: notebook)
    let change = ComposedStepTests.theseAndBack[index]
    for isBack in [false, true] { history.perform("Edit") { notebook.mix { change(&$0, isBack) } } }
    #expect(notebook.state == Notebook())
    #expect((history.undoCount, history.byteCount) == (0, 0))
    #expect(!history.canUndo)
  }

  /// Edits of one part, by their number.
  private static let edits: [@Sendable (inout Notebook, Int) -> Void] = [
    { $0.lines[7] = "line \($1)" },
    { $0.notes[id: 7]?.text = "text \($1)" },
    { $0.notes[id: 7]?.tags = ["\($1)"] },
    { if $1.isMultiple(of: 2) { $0.marks.insert(7) } else { $0.marks.remove(7) } },
    { $0.pages["a"] = $1 },
    { $0.text.append("\($1 % 10)") },
    { $0.text.insert(contentsOf: "\($1 % 10)", at: $0.text.startIndex) },
    { $0.lines.append("line \($1)") },
    { $0.notes.append(Notebook.Note(id: 100 + $1)) },
  ]

  @Test(arguments: edits.indices)
  func `a step of many edits takes no more memory than what came of them`(index: Int) {
    let history = History(of: notebook)
    let edit = ComposedStepTests.edits[index]
    for number in 0..<401 { history.perform("Edit") { notebook.mix { edit(&$0, number) } } }
    let end = notebook.state
    #expect(history.undoCount == 1)
    let steps = history.byteCount
    history.undo()
    #expect(notebook.state == Notebook())
    history.removeAll()
    notebook.mix { $0 = end }
    #expect(steps <= history.byteCount)
    history.undo()
    #expect(notebook.state == Notebook())
  }

  @Test func `random edits in one step lead back to where it began, and there again`() throws {
    let seed = Workload.seed
    var generator = SeededGenerator(seed: seed)
    for program in 0..<Workload.count(150, full: 20_000) {
      let start = notebook.state
      let history = History(of: notebook)
      for _ in 0..<Int.random(in: 2...12, using: &generator) {
        let (kind, place) = (
          Int.random(in: 0..<13, using: &generator), Int.random(in: 0..<1_000, using: &generator)
        )
        history.perform("Edit") { notebook.mix { ComposedStepTests.edit(&$0, kind, place) } }
      }
      let end = notebook.state
      try #require(history.undoCount == (start == end ? 0 : 1), "program \(program), seed \(seed)")
      #expect(history.undo(.refuse).outcomeIfKnown?.isFailure == false)
      try #require(notebook.state == start, "program \(program), seed \(seed)")
      #expect(history.redo(.refuse).outcomeIfKnown?.isFailure == false)
      try #require(notebook.state == end, "program \(program), seed \(seed)")
    }
  }

  private static func edit(_ book: inout Notebook, _ kind: Int, _ place: Int) {
    let (line, note) = (place % max(1, book.lines.count), place % max(1, book.notes.count))
    switch kind {
    case 0: book.lines.insert("\(place)", at: line)
    case 1: if !book.lines.isEmpty { book.lines.remove(at: line) }
    case 2: if !book.lines.isEmpty { book.lines[line] = "\(place % 5)" }
    case 3: book.lines.swapAt(0, book.lines.isEmpty ? 0 : line)
    case 4: if book.notes[id: place] == nil { book.notes.insert(Notebook.Note(id: place), at: note) }
    case 5: if !book.notes.isEmpty { book.notes.remove(at: note) }
    case 6: if book.notes.count > 1 { book.notes.move(id: book.notes[0].id, to: note) }
    case 7: if !book.notes.isEmpty { book.notes[note].tags.append("\(place % 3)") }
    case 8: if !book.notes.isEmpty { book.notes[note].text = "\(place % 3)" }
    case 9: if book.marks.remove(place % 7) == nil { book.marks.insert(place % 7) }
    case 10: book.pages["\(place % 7)"] = place.isMultiple(of: 2) ? nil : place
    case 11:
      let index = book.text.index(book.text.startIndex, offsetBy: place % max(1, book.text.count))
      if place.isMultiple(of: 2) || book.text.isEmpty {
        book.text.insert(contentsOf: "é\(place)", at: index)
      } else {
        book.text.remove(at: index)
      }
    default: book.draft = place.isMultiple(of: 3) ? nil : Notebook.Note(id: 1, tags: ["\(place % 3)"])
    }
  }

  // MARK: Steps in steps

  @Test func `a named step inside a named step joins it`() {
    let history = History(of: notebook)
    history.perform("Outer") {
      notebook.mix { $0.pages["a"] = 7 }
      history.perform("Inner") { notebook.mix { $0.lines = [] } }
      history.mix("Inner") { notebook.prop.marks = [] }
      notebook.mix { $0.pages["b"] = 7 }
    }
    #expect(history.undoCount == 1)
    #expect(history.status.undoName == "Outer")
    history.undo()
    #expect(notebook.state == Notebook())
  }

  @Test func `a step without a name takes that of the first one inside of it`() {
    let history = History(of: notebook)
    history.perform {
      notebook.mix { $0.pages["a"] = 7 }
      history.perform("Inner") { notebook.mix { $0.lines = [] } }
      history.perform("Other") { notebook.mix { $0.marks = [] } }
    }
    #expect(history.undoCount == 1)
    #expect(history.status.undoName == "Inner")
  }

  @Test
  func `what is not recorded stays so inside of a step, and so does a step inside of what is not recorded`() {
    let history = History(of: notebook)
    history.perform("Outer") {
      notebook.mix { $0.pages["a"] = 7 }
      history.perform(recorded: false) { notebook.mix { $0.lines = [] } }
    }
    history.undo()
    #expect(notebook.state.lines.isEmpty)
    #expect(notebook.state.pages == Notebook().pages)
    history.perform(recorded: false) { history.perform("Inner") { notebook.mix { $0.marks = [] } } }
    #expect(history.undoCount == 0)
  }

}

extension FluxOutcome {
  fileprivate var isFailure: Bool { if case .failed = self { true } else { false } }
}
