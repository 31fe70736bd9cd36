import FlaskEntities
import FlaskHistory
import FlaskInsight
import FlaskSharing
import FlaskTesting
import Testing

@testable import FlaskArchive
@testable import FlaskCore

/// A history, and states that arrive from an archive or from another process.
@Suite struct ArrivalAndUndoTests {
  private struct Notebook: FlaskState, Equatable {
    struct Note: Sendable, Equatable, Codable, Identifiable {
      let id: Int
      var text = ""
    }

    var lines = (0..<50).map { "line \($0)" }
    var notes = Entities((0..<50).map { Note(id: $0) })
  }

  private struct Draft: FlaskState, Equatable { var text = "", count = 0, size = 0 }

  @Test func `what arrives from another process is no step, and an undo leaves it alone`() async throws {
    let database = SimulatedDatabase()
    func opened() -> (group: SharedGroup, book: Substance<Notebook>) {
      Flux.$current.withValue(Flux()) {
        let group = SharedGroup("shelf", in: database.connect())
        return (group, Substance(Notebook(), name: "book", archive: true, in: group))
      }
    }
    let (here, there) = (opened(), opened())
    let (mine, theirs) = (here.book, there.book)
    let history = History(of: mine)
    history.perform("Edit") { mine.mix { $0.lines[3] = "mine" } }
    theirs.mix { $0.notes[id: 7]?.text = "theirs" }
    try await there.group.save()
    for await text in mine.values(of: \.notes) where text[id: 7]?.text == "theirs" { break }
    #expect(history.undoCount == 1)
    // The arrival may still be in progress.
    _ = await history.perform("Edit") { mine.mix { $0.lines[3] = "mine again" } }.outcome
    #expect(history.undoCount == 2)
    history.undo()
    history.undo()
    #expect(mine.state.lines == Notebook().lines)
    #expect(mine.state.notes[id: 7]?.text == "theirs")
    withExtendedLifetime((here, there)) {}
  }

  @Test func `undo passes over what an archive brings in, which is one operation of its kind`() async {
    let place = MemoryArchive()
    let earlier = Substance<Draft>(name: "draft", archive: true, in: place)
    earlier.mix { ($0.text, $0.count) = ("kept", 5) }
    #expect(await earlier.archiveNow())
    earlier.shouldArchive = false
    await Flux.$current.withValue(.withLateArchives()) {
      let trace = Trace(capacity: 8)
      let lock = Flask.lock()
      let draft = Substance<Draft>(name: "draft", archive: true, in: DeferredArchive(place))
      let history = History(of: draft)
      draft.mix { $0.size = 2 }
      lock.release()
      await draft.opened()
      let keys = trace.records.filter { $0.kind == .arrival }.map {
        $0.changes.flatMap { $0.keys.map(\.path) }
      }
      #expect(keys == [["text", "count"]])
      trace.stop()
      history.undo()
      #expect(draft.state == Draft(text: "kept", count: 5, size: 0))
      #expect(!history.canUndo)
    }
  }
}
