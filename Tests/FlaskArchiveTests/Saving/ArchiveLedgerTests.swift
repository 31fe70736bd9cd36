import Testing

@_spi(Checks) @testable import FlaskArchive

/// Single decisions. Histories of them are in `LedgerSimulationTests`.
@Suite struct ArchiveLedgerTests {
  @Test func `a save has the states of all members, whatever the order in which their changes are noted`()
    throws
  {
    var ledger = ArchiveLedger()
    let schedule = ArchiveSchedule(delay: .seconds(2), cap: .seconds(10))
    let writer = ledger.addWriter(owner: ArchiveOwner(name: ""), isGroup: true, schedule: schedule).id
    let ids = ["first", "second"].map { key in
      let id = ledger.join(key, owner: ArchiveOwner(name: ""), of: writer).id
      ledger.wasRead(id)
      return id
    }
    for _ in 0..<3 {
      // An operation has changed both, and its second change has yet to be noted.
      _ = ledger.changed(ids[0], at: .zero)
      let begun = ledger.beginSave(by: writer, isAsked: false)
      let plan = try #require(begun)
      #expect(plan.states.map(\.member) == ids)
      _ = ledger.endSave(plan, ArchiveLedger.Outcome(written: Set(ids)), at: .zero)
    }
  }
}
