import FlaskPrimitives
import FlaskDiff
import FlaskEntities
import Foundation
import Testing

@_spi(Checks) @testable import FlaskArchive
import TestSupport

/// Random programs over a state with entities in many places: what is read is what was saved, at every moment.
@Suite struct JournalProgramTests {
  @Test func `Every save of a random program is read as it was saved`() throws {
    let environment = ProcessInfo.processInfo.environment
    let seed = environment["FLASK_SEED"].flatMap(UInt64.init) ?? 11
    let count = environment["FLASK_PROOFS"] == "1" ? 1_000 : 100
    print("seed \(seed), \(count) saves")
    var random = SeededGenerator(seed: seed)
    let memory = MemoryArchive()
    var bench = JournalBench(memory, Board(500))
    try bench.save { _ in }
    var appended = 0
    for step in 0..<count {
      let changes = Int.random(in: 1...5, using: &random)
      let before = bench.journalCount
      try bench.save { for _ in 0..<changes { change(&$0, &random) } }
      if bench.journalCount > before { appended += 1 }
      let expected = bench.state.withLock { $0 }
      let outcome = reading(memory, as: Board())
      guard outcome.state == expected, !outcome.isDamaged else {
        Issue.record("seed \(seed): step \(step) is read otherwise")
        return
      }
      // The next start.
      if Int.random(in: 0..<10, using: &random) == 0 {
        bench.archiver.close()
        bench = JournalBench(memory, Board())
        guard bench.load() == expected else {
          Issue.record("seed \(seed): the start after step \(step) finds something else")
          return
        }
      }
    }
    #expect(appended > count / 2)
  }

  private func change(_ board: inout Board, _ random: inout SeededGenerator) {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: board.title = "title \(Int.random(in: 0..<9, using: &random))"
    case 1:
      let name = "page.\(Int.random(in: 0..<3, using: &random)) \"é\""
      if board.pages[name] == nil { board.pages[name] = Board.Page() }
      change(&board.pages[name, default: Board.Page()].rows, &random)
    case 2: board.pages["page.\(Int.random(in: 0..<3, using: &random)) \"é\""] = nil
    case 3: board.stack.append(Board.Page(rows: [Row(id: 1)], name: "new"))
    case 4: if !board.stack.isEmpty { board.stack.removeFirst() }
    case 5: for index in board.stack.indices { change(&board.stack[index].rows, &random) }
    case 6: board.spare = board.spare == nil ? [Row(id: 3)] : nil
    case 7:
      guard var spare = board.spare.take() else { return }
      change(&spare, &random)
      board.spare = spare
    default: change(&board.rows, &random)
    }
  }

  private func change(_ rows: inout Entities<Row>, _ random: inout SeededGenerator) {
    let id = Int.random(in: 0..<600, using: &random)
    switch Int.random(in: 0..<8, using: &random) {
    case 0: rows.append(Row(id: id, title: "appended"))
    case 1: rows.insert(Row(id: id, title: "inserted"), at: Int.random(in: 0...rows.count, using: &random))
    case 2: rows.remove(id: id)
    case 3 where rows.contains(id: id): rows.move(id: id, to: Int.random(in: 0..<rows.count, using: &random))
    case 4: rows[id: id]?._note += 1
    case 5 where rows.count > 20:
      let start = Int.random(in: 0..<rows.count - 10, using: &random)
      rows.removeSubrange(start..<start + 5)
    default: rows[id: id]?.title = "changed \(Int.random(in: 0..<100, using: &random))"
    }
  }
}
