import FlaskCoding
import FlaskCore
import FlaskEntities
@testable import FlaskSharing
import FlaskTesting
import TestSupport
import Testing

@Suite struct SharedCasesTests {
  @Test func `a change of a row that was saved here is saved`() throws {
    let database = SimulatedDatabase()
    let a = try SimulatedProcess(database)
    a.ledger.mix { $0.rows.append(SimulatedRow(id: 1)) }
    try a.save()
    let b = try SimulatedProcess(database)
    b.ledger.mix { $0.rows[id: 1]?.y = 2 }
    try b.save()
    #expect(
      database.rows(of: "books").map(\.body) == [
        #"{"rows":[],"stamp":0,"title":0}"#, #"{"id":1,"x":0,"y":2}"#,
      ]
    )
  }
}
