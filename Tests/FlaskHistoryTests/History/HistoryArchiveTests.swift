import FlaskEntities
import FlaskHistory
import Foundation
import Testing
import TestSupport

@Suite struct HistoryArchiveTests {
  private static func substances<each S: Sendable>(_ state: repeat each S) -> (repeat Substance<each S>) {
    Flux.$current.withValue(Flux()) { (repeat Substance(each state)) }
  }

  /// The state as another process would read it: the elements of its sets have another order.
  private static func read(_ sheet: Sheet) throws -> Sheet {
    try JSONDecoder().decode(Sheet.self, from: JSONEncoder().encode(sheet))
  }

  @Test func `archived steps lead through the same states in another run`() async throws {
    for round in 0..<Workload.count(20, full: 1_000) {
      let seed = Workload.seed &+ UInt64(round)
      var generator = SeededGenerator(seed: seed)
      let (a, b) = Self.substances(Sheet(), Sheet())
      let history = History(of: a, b)
      for _ in 0..<30 {
        var (first, second) = (a.state, b.state)
        first.edit(using: &generator)
        if Bool.random(using: &generator) { second.edit(using: &generator) }
        Flask.mix(a, b) { [first, second] in ($0, $1) = (first, second) }
      }
      for _ in 0..<Int.random(in: 0..<10, using: &generator) { history.undo() }
      let data = try await history.archived()

      let (c, d) = Self.substances(try Self.read(a.state), try Self.read(b.state))
      let restored = History(of: c, d)
      try await restored.restore(from: data)
      let note: Comment = "seed \(seed)"
      try #require(restored.undoCount == history.undoCount, note)
      try #require(restored.redoCount == history.redoCount, note)
      while history.canRedo {
        history.redo()
        restored.redo()
        try #require(c.state == a.state && d.state == b.state, note)
      }
      while history.canUndo {
        history.undo()
        restored.undo()
        try #require(c.state == a.state && d.state == b.state, note)
      }
      #expect(restored.canUndo == false && restored.redoCount == history.redoCount, note)
    }
  }

  @Test func `names and what can be done are there again, and limits hold`() async throws {
    let (paper, other) = Self.substances(Paper(), Paper())
    let history = History(of: paper)
    for name in ["one", "two", "three", "four"] { history.mix(name) { paper.prop.text += name } }
    history.undo()
    let data = try await history.archived()
    other.mix { $0 = paper.state }
    let restored = History(of: other, steps: 2)
    other.mix { $0.count = 7 }
    #expect(restored.undoCount == 1)
    try await restored.restore(from: data)
    #expect(restored.undoCount == 2)
    #expect((restored.status.undoName, restored.status.redoName) == ("three", "four"))
    restored.redo()
    #expect(other.text == "onetwothreefour")
    // What was there before the restoring is no step any more.
    #expect(other.count == 7)
  }

  @Test func `what another run leaves out comes back in no step, and no more than it keeps`() async throws {
    let (paper, other) = Self.substances(Paper(), Paper())
    let history = History(of: paper)
    paper.mix {
      $0.text = "a"
      $0.cursor.line = 1
    }
    paper.mix { $0.cursor.line = 2 }
    for count in 1...6 { paper.mix { $0.count = count } }
    for _ in 1...4 { history.undo() }
    let data = try await history.archived()
    other.mix { $0 = paper.state }
    let restored = History(of: other, steps: 5, leavingOut: [\Paper.cursor])
    try await restored.restore(from: data)
    // The step that only moved the cursor is none.
    #expect((restored.undoCount, restored.redoCount) == (3, 4))
    while restored.canRedo { restored.redo() }
    #expect((other.count, restored.undoCount, restored.redoCount) == (6, 5, 0))
    while restored.canUndo { restored.undo() }
    #expect(other.state == Paper(text: "a", count: 1, cursor: Paper.Cursor(line: 2)))
    // Of those that can be made again, the first ones come back.
    let short = History(of: other, steps: 2)
    other.mix { $0 = paper.state }
    try await short.restore(from: data)
    #expect((short.undoCount, short.redoCount) == (2, 2))
    while short.canRedo { short.redo() }
    #expect((other.count, short.undoCount) == (4, 2))
  }

  @Test func `restored steps report their names, and no names of those before them`() async throws {
    func archive(_ names: String?...) async throws -> Data {
      let paper = Self.substances(Paper())
      let history = History(of: paper)
      for name in names { history.mix(name) { paper.prop.count += 1 } }
      history.undo()
      return try await history.archived()
    }
    let archives = [
      try await archive("a", nil), try await archive(nil, nil), try await archive(nil, "b"),
      try await archive(nil, nil), try await archive("c", "d"),
    ]
    let history = History(of: Self.substances(Paper(count: 1)))
    var names: [[String?]] = []
    for archive in archives {
      try await history.restore(from: archive)
      names.append([history.status.undoName, history.status.redoName])
    }
    #expect(names == [["a", nil], [nil, nil], [nil, "b"], [nil, nil], ["c", "d"]])
  }

  @Test func `what comes after restored steps is a step of its own, whatever its name`() async throws {
    let paper = Self.substances(Paper())
    let history = History(of: paper)
    history.mix("Typing") { paper.prop.text = "a" }
    try await history.restore(from: try await history.archived())
    history.mix("Typing") { paper.prop.text = "b" }
    #expect(history.undoCount == 2)
    history.undo()
    #expect(paper.text == "a")
  }

  @Test func `a history whose parts do not fit each other is an error`() async throws {
    let paper = Self.substances(Paper())
    let history = History(of: paper)
    paper.mix { $0.count = 1 }
    let data = try await history.archived()
    let archived = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let step = try #require((archived["undo"] as? [[String: Any]])?.first)
    let change = try #require((step["changes"] as? [[String: Any]])?.first)
    let elsewhere = change.merging(["substance": 1]) { $1 }
    let members: [String: Any] = ["format": "other", "states": [Any](), "undo": [["changes": [elsewhere]]]]
    for (name, value) in members {
      let damaged = try JSONSerialization.data(withJSONObject: archived.merging([name: value]) { $1 })
      await #expect(throws: HistoryArchiveError.notAHistory) { try await history.restore(from: damaged) }
    }
    try await history.restore(from: try JSONSerialization.data(withJSONObject: archived))
    #expect(history.undoCount == 1)
  }

  @Test func `what has changed since the archiving is as if others had changed it`() async throws {
    let (paper, kept, refused) = Self.substances(Paper(), Paper(), Paper(text: "mine", count: 1))
    let history = History(of: paper)
    paper.mix {
      $0.text = "a"
      $0.count = 1
    }
    let data = try await history.archived()
    kept.mix { $0 = Paper(text: "mine", count: 1) }
    let (lenient, strict) = (History(of: kept), History(of: refused, policy: .refuse))
    try await lenient.restore(from: data)
    try await strict.restore(from: data)
    lenient.undo()
    #expect(kept.state == Paper(text: "mine"))
    guard case .failed? = strict.undo().outcomeIfKnown else {
      Issue.record("a step was taken back that does not fit")
      return
    }
    #expect(refused.state == Paper(text: "mine", count: 1))
    #expect(strict.undoCount == 1)
  }

  @Test func `a step that others have written over is archived as far as it fits`() async throws {
    let (paper, again) = Self.substances(Paper(), Paper())
    for policy in [History.Policy.keep, .refuse] {
      let history = History(of: paper, policy: policy)
      paper.mix {
        $0.text = "a"
        $0.count += 1
      }
      paper.mix { $0.list.append(1) }
      history.mix(recorded: false) { paper.prop.text = "remote" }
      let data = try await history.archived()
      again.mix { $0 = paper.state }
      let restored = History(of: again, policy: policy)
      try await restored.restore(from: data)
      #expect(restored.undoCount == (policy == .keep ? 2 : 1))
      while restored.canUndo { restored.undo() }
      #expect(again.text == "remote")
      #expect(again.count == (policy == .keep ? 0 : 1))
      paper.mix { $0 = Paper() }
      again.mix { $0 = Paper() }
    }
  }

  @Test func `what is no history of the substances is an error, and the steps stay`() async throws {
    let (paper, sheet, drawing) = Self.substances(Paper(), Sheet(), Drawing())
    let (ofPaper, ofSheet) = (History(of: paper), History(of: sheet))
    paper.mix { $0.count = 1 }
    let data = try await ofPaper.archived()
    await #expect(throws: HistoryArchiveError.otherSubstances) { try await ofSheet.restore(from: data) }
    await #expect(throws: HistoryArchiveError.notCodable(substance: drawing.name())) {
      _ = try await History(of: drawing).archived()
    }
    for text in ["", "{}", #"{"format":"flask-history","version":1,"types":["a"]}"#] {
      await #expect(throws: HistoryArchiveError.notAHistory) {
        try await ofPaper.restore(from: Data(text.utf8))
      }
    }
    let newer = Data(#"{"format":"flask-history","version":2}"#.utf8)
    await #expect(throws: HistoryArchiveError.unknownVersion(2)) { try await ofPaper.restore(from: newer) }
    // A patch that does not fit the states beside it.
    let damaged = String(decoding: data, as: UTF8.self).replacing(#""value":1"#, with: #""value":5"#)
    await #expect(throws: HistoryArchiveError.notAHistory) {
      try await ofPaper.restore(from: Data(damaged.utf8))
    }
    #expect(ofPaper.undoCount == 1)
  }

  @Test func `a purged archiving says so`() async throws {
    let paper = Self.substances(Paper())
    let history = History(of: paper)
    let lock = paper.flux.lock()
    let archived = Task { try await history.archived() }
    while paper.flux.waitingCount == 0 { await Task.yield() }
    paper.flux.purgeFluxQueue()
    await #expect(throws: HistoryArchiveError.notPerformed) { _ = try await archived.value }
    lock.release()
  }

  private struct Pin: Redacted, Codable, Equatable, Sendable { var digits = "" }
  private struct Card: Codable, Equatable, Sendable, Identifiable {
    var id = 0
    var pin = Pin()
  }
  private struct Wallet: FlaskState {
    var cards: [Card] = []
    var owner = Pin()
  }

  @Test func `an element with a secret comes back with it`() async throws {
    let (a, b) = Self.substances(Wallet(), Wallet())
    let history = History(of: a)
    a.mix { $0.cards = [Card(id: 1, pin: Pin(digits: "1234"))] }
    a.mix { $0.owner.digits = "9" }
    a.mix { $0.cards = [] }
    let data = try await history.archived()
    b.mix { $0 = a.state }
    let restored = History(of: b)
    try await restored.restore(from: data)
    #expect(restored.undoCount == 3)
    restored.undo()
    #expect(b.state.cards.first?.pin.digits == "1234")
    restored.undo()
    #expect(b.state.owner.digits == "")
  }

  @Test func `a step without an effect is not written, and null is read`() async throws {
    let (paper, other) = Self.substances(Paper(), Paper())
    let history = History(of: paper)
    paper.mix { $0.count = 1 }
    paper.mix { $0.text = "a" }
    history.mix(recorded: false) { paper.prop.count = 7 }
    let text = String(decoding: try await history.archived(), as: UTF8.self)
    #expect(!text.contains("null"))
    // As an earlier version wrote it.
    let older = text.replacing(#""changes":["#, with: #""changes":[{"substance":0,"patch":null},"#)
    #expect(older != text)
    other.mix { $0 = paper.state }
    let restored = History(of: other)
    try await restored.restore(from: Data(older.utf8))
    #expect(restored.undoCount == 1)
    restored.undo()
    #expect(other.state.text == "")
  }

  @Test func `a step that cannot be read is left out, with those behind it, and reported`() async throws {
    let (paper, other) = Self.substances(Paper(), Paper())
    let history = History(of: paper)
    for count in 1...3 { paper.mix { $0.count = count } }
    let text = String(decoding: try await history.archived(), as: UTF8.self)
    let paths = text.components(separatedBy: #""/count""#)
    #expect(paths.count == 4)
    // The second of three steps.
    let damaged = paths[0] + #""/count""# + paths[1] + #""/nowhere""# + paths[2] + #""/count""# + paths[3]
    other.mix { $0 = paper.state }
    let faults = Recorder<FlaskFault.Kind>()
    other.flux.onFault = { faults.append($0.kind) }
    let restored = History(of: other)
    try await restored.restore(from: Data(damaged.utf8))
    #expect(restored.undoCount == 1)
    #expect(faults.all == [.historyIncomplete])
    restored.undo()
    #expect(other.state.count == 2)
  }
}
