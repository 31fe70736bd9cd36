import FlaskCoding
import FlaskCore
import FlaskEntities
@testable import FlaskSharing
import FlaskTesting
import TestSupport
import Testing

/// The cases of the contract of shared groups, by number.
@Suite struct SharedCasesTests {
  let database = SimulatedDatabase()
  let a: SimulatedProcess
  let b: SimulatedProcess

  /// Two processes with the rows 1 to 3.
  init() throws {
    a = try SimulatedProcess(database)
    a.ledger.mix { $0.rows = Entities((1...3).map { SimulatedRow(id: $0) }) }
    try a.save()
    b = try SimulatedProcess(database)
  }

  func row(_ id: Int) -> String? {
    database.rows(of: "books").first { $0.key.path == "rows" && $0.key.id == "\(id)" }?.body
  }

  func settle(_ processes: SimulatedProcess...) throws {
    for _ in 0..<2 {
      for process in processes.isEmpty ? [a, b] : processes {
        try process.save()
        try process.read()
        process.install()
      }
    }
    if processes.isEmpty { #expect(a.ledger.state == b.ledger.state) }
    let count = database.commitCount(of: "books")
    for process in processes.isEmpty ? [a, b] : processes { try process.save() }
    #expect(database.commitCount(of: "books") == count)
  }

  /// Lets the next commit of a process be cut.
  func cut(_ process: SimulatedProcess, at step: SimulatedStore.Step) {
    process.store.onStep = { $0 == step ? .cut : nil }
    #expect(throws: RecordStoreError.self) { try process.save() }
    process.store.onStep = nil
  }

  @Test func `1: a commit is cut but done, another edits the row: the edit stays`() throws {
    a.ledger.mix { $0.rows[id: 1]?.x = 1 }
    cut(a, at: .committed)
    try b.read()
    b.install()
    b.ledger.mix { $0.rows[id: 1]?.x = 2 }
    try b.save()
    try settle()
    #expect(a.ledger.state.rows[id: 1]?.x == 2)
  }

  @Test func `2: a commit is cut but done, another removes the row: it stays removed`() throws {
    a.ledger.mix { $0.rows[id: 1]?.x = 1 }
    a.ledger.mix { $0.rows.append(SimulatedRow(id: 4)) }
    cut(a, at: .committed)
    try b.read()
    b.install()
    b.ledger.mix {
      $0.rows.remove(id: 1); $0.rows.remove(id: 4)
    }
    try b.save()
    try settle()
    #expect(Array(a.ledger.state.rows.ids) == [2, 3])
  }

  @Test func `3: a commit is cut and not done: it is written once`() throws {
    a.ledger.mix { $0.rows.append(SimulatedRow(id: 4)) }
    let count = database.commitCount(of: "books")
    cut(a, at: .committing)
    #expect(database.commitCount(of: "books") == count)
    try settle()
    #expect(database.commitCount(of: "books") == count + 1)
    #expect(Array(b.ledger.state.rows.ids) == [1, 2, 3, 4])
  }

  @Test func `4: what another has written and is not installed here stays, however often this one saves`()
    throws
  {
    b.ledger.mix { $0.rows.append(SimulatedRow(id: 4)) }
    try b.save()
    for x in 1...3 {
      a.ledger.mix { $0.rows[id: 1]?.x = x }
      try a.save()
    }
    try settle()
    #expect(Array(a.ledger.state.rows.ids) == [1, 2, 3, 4])
  }

  @Test func `7: one removes a row, another has edited it: it is removed, and that is reported`() throws {
    a.ledger.mix { $0.rows.remove(id: 1) }
    b.ledger.mix { $0.rows[id: 1]?.x = 1 }
    try a.save()
    try b.save()
    try settle()
    #expect(Array(b.ledger.state.rows.ids) == [2, 3])
    #expect(b.messages.contains { $0.contains("dropped") && $0.contains("rows 1") })
  }

  @Test func `7: one removes a row, another has edited it, and reads before it saves: that is reported, too`()
    throws
  {
    a.ledger.mix { $0.rows.remove(id: 1) }
    b.ledger.mix { $0.rows[id: 1]?.x = 1 }
    try a.save()
    try b.read()
    b.install()
    try settle()
    #expect(Array(b.ledger.state.rows.ids) == [2, 3])
    #expect(b.messages.filter { $0.contains("dropped") && $0.contains("rows 1") }.count == 1)
    #expect(a.messages.isEmpty)
  }

  @Test func `8: one edits a row, another has removed it: it is removed`() throws {
    a.ledger.mix { $0.rows.remove(id: 1) }
    b.ledger.mix { $0.rows[id: 1]?.x = 1 }
    try b.save()
    try a.save()
    try settle()
    #expect(Array(b.ledger.state.rows.ids) == [2, 3])
  }

  @Test func `9: one removes a row and puts it back: it is back, and an edit of another is applied to it`()
    throws
  {
    b.ledger.mix { $0.rows[id: 2]?.y = 7 }
    a.ledger.mix { $0.rows.remove(id: 2) }
    try a.save()
    a.ledger.mix { $0.rows.insert(SimulatedRow(id: 2, x: 5), at: 1) }
    try a.save()
    try b.save()
    try settle()
    #expect(a.ledger.state.rows[id: 2] == SimulatedRow(id: 2, x: 5, y: 7))
    #expect(Array(a.ledger.state.rows.ids) == [1, 2, 3])
  }

  @Test func `10: after a pause beyond the horizon an edit of a removed row is dropped, an insertion kept`()
    throws
  {
    b.ledger.mix {
      $0.rows[id: 1]?.x = 1; $0.rows.append(SimulatedRow(id: 9))
    }
    a.ledger.mix { $0.rows.remove(id: 1) }
    try a.save()
    database.hours += 48
    a.ledger.mix { $0.title = 1 }
    try a.save()
    database.hours += 48
    a.ledger.mix { $0.title = 2 }
    try a.save()
    try settle()
    #expect(Array(b.ledger.state.rows.ids) == [2, 3, 9])
    #expect(b.ledger.state.title == 2)
  }

  @Test func `11: a clock that goes a month ahead and back costs reads, and nothing else`() throws {
    for hours in [720, -720, 720] {
      database.hours += hours
      a.ledger.mix { $0.title += 1 }
      try a.save()
      b.ledger.mix { $0.rows[id: 1]?.x += 1 }
      try b.save()
      try settle()
    }
    #expect(a.ledger.state.title == 3)
    #expect(a.ledger.state.rows[id: 1]?.x == 3)
  }

  @Test
  func `12: a backup is restored: all have it, with what was pending, and what was lost is not written`()
    throws
  {
    let backup = database.snapshot
    a.ledger.mix {
      $0.rows.append(SimulatedRow(id: 4)); $0.title = 1
    }
    try a.save()
    try settle()
    b.ledger.mix {
      $0.rows.append(SimulatedRow(id: 5)); $0.rows[id: 4]?.x = 1; $0.rows[id: 1]?.x = 1
    }
    database.snapshot = backup
    try settle()
    #expect(Array(a.ledger.state.rows.ids) == [1, 2, 3, 5])
    #expect(a.ledger.state.rows[id: 1]?.x == 1)
    #expect(a.ledger.state.title == 0)
    for process in [a, b] { #expect(process.messages.contains { $0.contains("restored") }) }
  }

  @Test func `13: a standby that lacks commits is promoted, and has others: the same`() throws {
    let backup = database.snapshot
    for number in 4...6 {
      a.ledger.mix { $0.rows.append(SimulatedRow(id: number)) }
      try a.save()
    }
    database.snapshot = backup
    let c = try SimulatedProcess(database)
    for number in 7...9 {
      c.ledger.mix { $0.rows.append(SimulatedRow(id: number)) }
      try c.save()
    }
    a.ledger.mix { $0.rows[id: 2]?.x = 2 }
    try settle()
    try settle(c)
    #expect(Array(a.ledger.state.rows.ids) == [1, 2, 3, 7, 8, 9])
    #expect(c.ledger.state == a.ledger.state)
    #expect(a.ledger.state.rows[id: 2]?.x == 2)
  }
}
