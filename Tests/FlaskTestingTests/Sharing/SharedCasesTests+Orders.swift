import FlaskCoding
import FlaskCore
import FlaskEntities
@testable import FlaskSharing
import FlaskTesting
import TestSupport
import Testing

// Orders, transactions, and versions.
extension SharedCasesTests {
  @Test func `15: two append a hundred each: all are there, blocks together, in one order everywhere`() throws
  {
    a.ledger.mix { $0.rows.append(contentsOf: (100..<200).map { SimulatedRow(id: $0) }) }
    b.ledger.mix { $0.rows.append(contentsOf: (200..<300).map { SimulatedRow(id: $0) }) }
    try a.save()
    try b.save()
    try settle()
    #expect(Array(a.ledger.state.rows.ids) == [1, 2, 3] + Array(100..<300))
    #expect(
      database.rows(of: "books").filter { $0.key.path == "rows" }.allSatisfy { $0.order.utf8.count == 8 }
    )
  }

  @Test func `16: ten thousand insertions at one place: no key has more than 32 bytes`() throws {
    var expected = [1]
    for round in 0..<100 {
      let block = (0..<100).map { 1000 + round * 100 + $0 }
      a.ledger.mix { ledger in
        for id in block { ledger.rows.insert(SimulatedRow(id: id), at: 1) }
      }
      expected.insert(contentsOf: block.reversed(), at: 1)
      try a.save()
    }
    for id in 20_000..<20_100 {
      a.ledger.mix { $0.rows.insert(SimulatedRow(id: id), at: 1) }
      expected.insert(id, at: 1)
      try a.save()
    }
    let rows = database.rows(of: "books").filter { $0.key.path == "rows" }
    #expect(rows.allSatisfy { OrderKey.isKey($0.order) })
    #expect(rows.map(\.key.id) == (expected + [2, 3]).map(String.init))
    try settle()
    #expect(Array(b.ledger.state.rows.ids) == expected + [2, 3])
  }

  @Test func `17: one moves a row, another edits it: both hold`() throws {
    a.ledger.mix { $0.rows.move(id: 3, to: 0) }
    b.ledger.mix { $0.rows[id: 3]?.x = 1 }
    try a.save()
    try b.save()
    try settle()
    #expect(Array(b.ledger.state.rows.ids) == [3, 1, 2])
    #expect(a.ledger.state.rows[id: 3]?.x == 1)
  }

  @Test func `a new order of all is taken over, and merged with an insertion`() throws {
    a.ledger.mix { $0.rows.append(contentsOf: (10..<500).map { SimulatedRow(id: $0) }) }
    try settle()
    a.ledger.mix { $0.rows.sort { $0.id > $1.id } }
    b.ledger.mix { $0.rows.insert(SimulatedRow(id: 1000), at: 1) }
    try b.save()
    try a.save()
    try settle()
    let ids = Array(a.ledger.state.rows.ids)
    #expect(ids.filter { $0 != 1000 } == ids.filter { $0 != 1000 }.sorted(by: >))
    #expect(ids.count == 494)
  }

  @Test func `19: two book the last seat: one throws; the same key is performed once`() throws {
    struct SoldOut: Error {}
    a.ledger.mix { $0.title = 1 }
    try settle()
    func book(_ process: SimulatedProcess, once key: String?) -> ClosureTransaction<Int> {
      ClosureTransaction(process.ledgerParts, once: key, atMost: nil) { states in
        let ledger = states[0].assumingMemoryBound(to: SimulatedLedger.self)
        guard ledger.pointee.title > 0 else { throw SoldOut() }
        ledger.pointee.title -= 1
        return ledger.pointee.title
      }
    }
    let first = book(a, once: "order 1")
    try a.save([first])
    #expect(first.state == .performed)
    let second = book(b, once: nil)
    try b.save([second])
    #expect(second.state == .failed)
    let again = book(b, once: "order 1")
    try b.save([again])
    #expect(again.state == .found)
    try settle()
    #expect(b.ledger.state.title == 0)
  }

  @Test func `a transaction that is cut but done is not performed twice`() throws {
    let transaction = ClosureTransaction<Void>(a.ledgerParts, once: nil, atMost: nil) { states in
      states[0].assumingMemoryBound(to: SimulatedLedger.self).pointee.title += 1
    }
    a.store.onStep = { $0 == .committed ? .cut : nil }
    #expect(throws: RecordStoreError.self) { try a.save([transaction]) }
    a.store.onStep = nil
    try a.save([transaction])
    #expect(transaction.state == .done)
    try settle()
    #expect(b.ledger.state.title == 1)
  }

  @Test func `a transaction that is cut but done is not performed twice, though a reading settles it`() throws
  {
    let transaction = ClosureTransaction<Void>(a.ledgerParts, once: nil, atMost: nil) { states in
      states[0].assumingMemoryBound(to: SimulatedLedger.self).pointee.title += 1
    }
    a.store.onStep = { $0 == .committed ? .cut : nil }
    #expect(throws: RecordStoreError.self) { try a.save([transaction]) }
    a.store.onStep = { $0 == .waiting ? .unreachable : nil }
    #expect(throws: RecordStoreError.self) { try a.save([transaction]) }
    a.store.onStep = nil
    try a.read()
    try a.save([transaction])
    #expect(transaction.state == .done)
    try settle()
    #expect(b.ledger.state.title == 1)
  }

  @Test func `a transaction that is done, and whose second attempt is refused, counts as done`() throws {
    let transaction = ClosureTransaction<Void>(a.ledgerParts, once: nil, atMost: nil) { states in
      states[0].assumingMemoryBound(to: SimulatedLedger.self).pointee.title += 1
    }
    a.store.onStep = { $0 == .committed ? .cut : nil }
    #expect(throws: RecordStoreError.self) { try a.save([transaction]) }
    a.store.onStep = nil
    let newer = try SimulatedProcess(database, version: 1)
    newer.ledger.mix { $0.rows[id: 1]?.x = 5 }
    try newer.save()
    #expect(throws: SharingError.self) { try a.save([transaction]) }
    #expect(transaction.state == .done)
  }

  @Test func `a doubt beside a newer version is settled, and the newer one's changes arrive`() throws {
    a.ledger.mix { $0.title = 1 }
    cut(a, at: .committing)
    let newer = try SimulatedProcess(database, version: 1)
    newer.ledger.mix { $0.rows[id: 1]?.x = 5 }
    try newer.save()
    try a.read()
    #expect(throws: SharingError.self) { try a.save() }
    try a.read()
    a.install()
    #expect(a.ledger.state.rows[id: 1]?.x == 5)
    #expect(a.ledger.state.title == 1)
  }

  @Test
  func
    `18: an older program edits a row that has a newer one's key: the key stays, and nothing is written twice`()
    throws
  {
    let row = #"{"id":2,"x":1,"y":0,"z":"new"}"#
    let store = database.connect()
    _ = try store.transact(RecordQuery(group: "books")) { _, _ in
      let key = RecordKey(part: "ledger", path: "rows", id: "2")
      let record = SharedRecord(key: key, order: "V0000001", version: 0, body: row)
      return RecordWrites(commits: [.init(token: "newer", touched: [key])], rows: [record], version: 0)
    }
    try settle()
    a.ledger.mix { $0.rows[id: 2]?.y = 7 }
    try a.save()
    #expect(self.row(2) == #"{"id":2,"x":1,"y":7,"z":"new"}"#)
    try settle()
    #expect(b.ledger.state.rows[id: 2]?.y == 7)
  }

  @Test func `a row that can't be read stays as it is, and its identity is refused`() throws {
    let store = database.connect()
    let key = RecordKey(part: "ledger", path: "rows", id: "2")
    _ = try store.transact(RecordQuery(group: "books")) { _, _ in
      let record = SharedRecord(key: key, order: "V0000001", version: 0, body: #"{"id":2,"x":"text"}"#)
      return RecordWrites(commits: [.init(token: "odd", touched: [key])], rows: [record], version: 0)
    }
    try a.read()
    a.install()
    #expect(Array(a.ledger.state.rows.ids) == [1, 3])
    #expect(a.messages.contains { $0.contains("can't be read") })
    a.ledger.mix {
      $0.rows.append(SimulatedRow(id: 2)); $0.rows[id: 1]?.x = 9
    }
    #expect(throws: SharingError.self) { try a.save() }
    #expect(row(2) == #"{"id":2,"x":"text"}"#)
    #expect(row(1) == #"{"id":1,"x":9,"y":0}"#)
  }
}
