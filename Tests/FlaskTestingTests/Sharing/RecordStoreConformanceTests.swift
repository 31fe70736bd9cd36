import FlaskSharing
import FlaskTesting
import Testing

@Suite struct RecordStoreConformanceTests {
  @Test func `the simulated store conforms`() throws {
    let database = SimulatedDatabase()
    try RecordStoreConformance { database.connect() }.check()
  }

  /// A store that breaks the contract in one way.
  private struct BrokenStore: RecordStore {
    enum Defect: CaseIterable {
      case forgetsTouched, forgetsTokens, ignoresHistory, losesHints, ignoresRemovals, losesOrders,
        sharesLeases
    }

    let base: SimulatedStore
    let defect: Defect
    var location: String { base.location }

    private func broken(_ tail: RecordTail) -> RecordTail {
      var tail = tail
      switch defect {
      case .forgetsTouched: tail.touched = []
      case .forgetsTokens: tail.found = [:]
      case .ignoresHistory: if tail.scope.isEverything { tail.scope = .changes(after: 0) }
      default: break
      }
      return tail
    }

    func read(_ query: RecordQuery) throws -> RecordTail { broken(try base.read(query)) }

    func transact(
      _ query: RecordQuery,
      _ decide: (RecordTail, _ fetch: @escaping ([RecordKey]) throws -> [SharedRecord]) throws ->
        RecordWrites?
    ) throws -> RecordPosition? {
      try base.transact(query) { tail, fetch in
        var writes = try decide(broken(tail), fetch)
        if defect == .ignoresRemovals { writes?.removed = [] }
        if defect == .losesOrders { writes?.orders = [:] }
        return writes
      }
    }

    func lease(_ name: String, holder: String, for duration: Duration) throws -> Fence? {
      try base.lease(name, holder: defect == .sharesLeases ? "one" : holder, for: duration)
    }

    func observe(_ group: String, _ hint: @escaping @Sendable () -> Void) -> any AnyObject & Sendable {
      base.observe(group) { if defect != .losesHints { hint() } }
    }
  }

  @Test func `a store that breaks the contract is noticed`() throws {
    for defect in BrokenStore.Defect.allCases {
      let database = SimulatedDatabase()
      var issues: [TestIssue] = []
      try RecordStoreConformance { BrokenStore(base: database.connect(), defect: defect) }.check {
        issues.append($0)
      }
      #expect(!issues.isEmpty, "\(defect)")
    }
  }
}
