import FlaskArchive
import FlaskDiff
import FlaskEntities
import Foundation
import Testing

@testable import FlaskCore

extension ArchivesTests {
  /// Substances with large entities are archived by what has changed.
  @Suite struct ArchiveJournalTests {
    struct Board: FlaskState {
      struct Row: Codable, Identifiable, Equatable, Sendable {
        let id: Int
        var title = "a title"
      }

      var rows: Entities<Row> = Entities((0..<1_000).map { Row(id: $0) })
      var name = "board"
    }

    private let memory = MemoryArchive()

    private var journal: Int? { memory.loadWithJournal("Fx.1.board")?.journal.count }

    @Test func `a change is appended, and the next start finds it`() {
      do {
        let board = Substance<Board>(name: "board", archive: true, in: memory)
        #expect(board.archiveNow())
        #expect(journal == 0)
        board.mix { $0.rows[id: 7]?.title = "seven" }
        #expect(board.archiveNow())
        #expect((1..<300).contains(journal ?? 0))
      }
      let before = memory.load("Fx.1.board")
      do {
        let board = Substance<Board>(name: "board", archive: true, in: memory)
        #expect(board.rows[id: 7]?.title == "seven")
        board.mix { $0.rows.remove(id: 8) }
        #expect(board.archiveNow())
        #expect(memory.load("Fx.1.board") == before)
      }
      #expect(Substance<Board>(name: "board", archive: true, in: memory).rows.count == 999)
    }

    @Test func `purging ends the journal, and what changes then is saved whole`() {
      let board = Substance<Board>(name: "board", archive: true, in: memory)
      #expect(board.archiveNow())
      board.mix { $0.rows[id: 7]?.title = "seven" }
      #expect(board.archiveNow())
      #expect(board.purgeArchive())
      #expect(journal == nil)
      board.mix { $0.rows[id: 8]?.title = "eight" }
      #expect(board.archiveNow())
      #expect(journal == 0)
    }

    @Test func `groups have journals`() {
      func count() -> Int? { memory.loadWithJournal("FxGroup.session")?.journal.count }
      do {
        let group = ArchiveGroup("session", in: memory)
        let board = Substance<Board>(name: "board", archive: true, in: group)
        for id in 0..<3 {
          board.mix { $0.rows[id: id]?.title = "changed" }
          #expect(group.archiveNow())
          #expect((id * 100...id * 300).contains(count() ?? -1))
        }
      }
      let again = ArchiveGroup("session", in: memory)
      let found = Substance<Board>(name: "board", archive: true, in: again)
      #expect(found.rows.prefix(4).map(\.title) == ["changed", "changed", "changed", "a title"])
    }

    @Test func `a group takes over an archive with its journal`() {
      do {
        let alone = Substance<Board>(name: "board", archive: true, in: memory)
        #expect(alone.archiveNow())
        alone.mix { $0.rows[id: 7]?.title = "seven" }
        #expect(alone.archiveNow())
        #expect(journal ?? 0 > 0)
      }
      let group = ArchiveGroup("session", in: memory)
      let board = Substance<Board>(name: "board", archive: true, in: group)
      #expect(board.rows[id: 7]?.title == "seven")
      #expect(group.archiveNow())
      board.waitForSlot("Fx.1.board", in: memory)
      #expect(memory.loadWithJournal("Fx.1.board") == nil)
    }

    @Test func `who leaves a group has a journal again`() {
      let group = ArchiveGroup("session", in: memory)
      let board = Substance<Board>(name: "board", archive: true, in: group)
      board.mix { $0.rows[id: 7]?.title = "seven" }
      #expect(group.archiveNow())
      #expect(group.leave(board))
      #expect(journal == 0)
      board.mix { $0.rows[id: 8]?.title = "eight" }
      #expect(board.archiveNow())
      #expect(journal ?? 0 > 0)
    }
  }
}
