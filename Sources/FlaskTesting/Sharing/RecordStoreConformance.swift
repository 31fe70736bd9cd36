internal import FlaskPrimitives
public import FlaskSharing
internal import Foundation

/// The contract of every store of shared groups, as a test of one store.
///
/// ```swift
/// @Test func `groups in SQLite`() throws {
///   try RecordStoreConformance { try SQLiteStore(at: url) }.check()
/// }
/// ```
/// Each way in which the store does not conform is an issue at the line of `check()`.
public struct RecordStoreConformance {
  let connect: () throws -> any RecordStore

  /// - Parameter connect: returns a new connection to one database in each call, as another process would have it. The
  ///   database may have other groups already.
  public init(_ connect: @escaping () throws -> any RecordStore) { self.connect = connect }

  /// Checks all requirements of the contract, in groups with new names.
  ///
  /// - Parameters:
  ///   - onIssue: gets the issues instead of the test's runner.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - filePath: as `fileID`.
  ///   - line: as `fileID`.
  ///   - column: as `fileID`.
  /// - Throws: the error of the store.
  public func check(
    onIssue: ((TestIssue) -> Void)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) throws {
    let report = onIssue ?? { TestRunner.report($0) }
    let check = Check(place: TestPlace(fileID, filePath, line, column), report: report)
    try beginning(check)
    try writing(check)
    try reading(check)
    try everyText(check)
    try errors(check)
    try tokens(check)
    try groups(check)
    try leases(check)
    try hints(check)
    try threads(check)
  }

  struct Check {
    let place: TestPlace
    let report: (TestIssue) -> Void

    func callAsFunction(_ holds: Bool, _ message: String) {
      if !holds { report(TestIssue(message: "the store does not conform: " + message, place: place)) }
    }
  }

  private func key(_ id: String, path: String = "rows", part: String = "ledger") -> RecordKey {
    RecordKey(part: part, path: path, id: id)
  }

  private func record(_ key: RecordKey, _ body: String, order: String = "V0000000") -> SharedRecord {
    SharedRecord(key: key, order: order, version: 1, body: body)
  }

  @discardableResult
  private func write(
    _ store: any RecordStore,
    _ group: String,
    _ rows: [SharedRecord] = [],
    removing removed: [RecordKey] = [],
    ordering orders: [RecordKey: String] = [:],
    token: String = UUID().uuidString,
    listsRows: Bool = true
  ) throws -> RecordPosition? {
    let touched = rows.map(\.key) + removed + Array(orders.keys)
    return try store.transact(RecordQuery(group: group)) { _, _ in
      RecordWrites(
        commits: [.init(token: token, touched: listsRows ? touched : nil)],
        rows: rows,
        removed: removed,
        orders: orders,
        version: 1
      )
    }
  }

  private func beginning(_ check: Check) throws {
    let group = UUID().uuidString
    let store = try connect()
    let tail = try store.read(RecordQuery(group: group, newParts: ["ledger"]))
    check(tail.head.number == 0 && tail.head.position.token.isEmpty, "a new group has a commit")
    check(tail.rows.isEmpty, "a new group has rows")
    let again = try connect().read(RecordQuery(group: group, since: tail.head.position, parts: ["ledger"]))
    check(again.scope == .changes(after: 0), "a new group is another one for the next reader")
    var calls = 0
    let nothing = try store.transact(RecordQuery(group: group)) { tail, _ in
      calls += 1
      return nil
    }
    check(nothing == nil && calls == 1, "a transaction that writes nothing has a position")
    check(
      try store.read(RecordQuery(group: group)).head.number == 0,
      "a transaction that writes nothing is a commit"
    )
  }

  private func writing(_ check: Check) throws {
    let group = UUID().uuidString
    let (a, b) = (try connect(), try connect())
    let rows = [record(key("1"), "1"), record(key("2"), "2"), record(key("", path: ""), "{}")]
    let first = try write(a, group, rows, token: "one")
    check(first?.number == 1 && first?.token == "one", "the first commit is not number 1 with its token")
    let all = RecordQuery(group: group, newParts: ["ledger"])
    check(Set(try b.read(all).rows) == Set(rows), "another connection does not read what was written")
    try write(b, group, [record(key("1"), "3", order: "V0000002")])
    try write(b, group, removing: [key("2"), key("not there")])
    try write(b, group, ordering: [key("1"): "V0000009"])
    let tail = try a.read(all)
    let expected = [rows[2], record(key("1"), "3", order: "V0000009")]
    check(Set(tail.rows) == Set(expected), "rows are not replaced, removed and reordered: \(tail.rows)")
    check(tail.head.number == 4, "four transactions have not the numbers 1 to 4")
    check(tail.head.version == 1, "the version is not kept")
    let two = try a.transact(RecordQuery(group: group)) { _, _ in
      RecordWrites(commits: [.init(token: "x", touched: []), .init(token: "y", touched: [])], version: 3)
    }
    check(
      two?.number == 6 && two?.token == "y",
      "two commits of one transaction have not the next two numbers"
    )
    check(try b.read(all).head.version == 3, "the version is not raised")
  }

  private func reading(_ check: Check) throws {
    let group = UUID().uuidString
    let (a, b) = (try connect(), try connect())
    let first = try write(a, group, [record(key("1"), "1"), record(key("2"), "2")])
    try write(b, group, [record(key("1", part: "other"), "9")])
    let second = try write(b, group, [record(key("1"), "11")], removing: [key("2")])
    let changes = try a.read(RecordQuery(group: group, since: first, parts: ["ledger"]))
    check(changes.scope == .changes(after: 1), "the scope is not the changes since the first commit")
    check(changes.rows == [record(key("1"), "11")], "the changed rows are \(changes.rows)")
    check(changes.touched == [key("1"), key("2")], "the touched rows are \(changes.touched)")
    let none = try a.read(RecordQuery(group: group, since: second, parts: ["ledger"]))
    check(none.rows.isEmpty && none.touched.isEmpty, "what is known is read again")
    let query = RecordQuery(
      group: group,
      since: second,
      parts: ["ledger"],
      newParts: ["other"],
      keys: [key("1")]
    )
    let requested = try a.read(query)
    let expected = [record(key("1"), "11"), record(key("1", part: "other"), "9")]
    check(Set(requested.rows) == Set(expected), "new parts and requested rows are \(requested.rows)")
    try write(b, group, [record(key("3"), "3")], listsRows: false)
    let unlisted = try a.read(RecordQuery(group: group, since: second, parts: ["ledger"]))
    check(unlisted.scope.isEverything, "a commit without a list does not lead to all rows")
    check(Set(unlisted.rows.map(\.key)) == [key("1"), key("3")], "all rows are \(unlisted.rows)")
    for since in [
      RecordPosition(incarnation: "another", number: 1, token: first?.token ?? ""),
      RecordPosition(incarnation: first?.incarnation ?? "", number: 1, token: "another"),
      RecordPosition(incarnation: first?.incarnation ?? "", number: 99, token: "another"),
    ] {
      let tail = try a.read(RecordQuery(group: group, since: since, parts: ["ledger"]))
      check(tail.scope == .everything(isRestored: true), "another history is not noticed: \(since)")
      check(tail.rows.count == 2 && tail.touched.isEmpty, "of another history not all rows are read")
    }
  }

  private func everyText(_ check: Check) throws {
    let group = UUID().uuidString
    let store = try connect()
    let texts = [
      #"{"a":"\u0000","b":-0.0,"c":1e400,"d":12345678901234567890.123}"#, #""é""#, "\"e\u{301}\"", #""👩‍👩‍👧""#,
      "\"'\"", #""%_\\""#,
      "[]", "\"\(String(repeating: "x", count: 100_000))\"",
    ]
    // Identities are composed Unicode.
    let ids = ["1", "-1", #""é""#, #""👩‍👩‍👧""#, #""a""#, #""A""#, #""%_\\""#, "[]"]
    var rows = zip(ids, texts).map { record(key($0), $1) }
    rows += ["V0000000", "V000000a", "V000000Z", "V00000000V"].map { record(key($0), "1", order: $0) }
    try write(store, group, rows)
    let tail = try store.read(RecordQuery(group: group, newParts: ["ledger"]))
    let found = Dictionary(tail.rows.map { ($0.key.id, Array($0.body.utf8)) }) { a, _ in a }
    check(found.count == rows.count, "different identities are one")
    for row in rows {
      check(found[row.key.id] == Array(row.body.utf8), "the text of \(row.key.id) is not kept byte by byte")
    }
  }

  private struct Refused: Error {}

  private func errors(_ check: Check) throws {
    let group = UUID().uuidString
    let store = try connect()
    let first = try write(store, group, [record(key("1"), "1")])
    var isThrown = false
    do {
      _ = try store.transact(RecordQuery(group: group, since: first, parts: ["ledger"], keys: [key("1")])) {
        tail,
        fetch in
        check(tail.rows == [record(key("1"), "1")], "the requested row is not read in the transaction")
        check(
          try fetch([key("1"), key("2")]).map(\.key) == [key("1")],
          "further rows are not read in the transaction"
        )
        throw Refused()
      }
    } catch is Refused { isThrown = true }
    check(isThrown, "what the closure throws is not thrown")
    check(
      try store.read(RecordQuery(group: group)).head.position == first,
      "a transaction that throws is a commit"
    )
    try write(store, group, [record(key("2"), "2")])
  }

  private func tokens(_ check: Check) throws {
    let group = UUID().uuidString
    let (a, b) = (try connect(), try connect())
    try write(a, group, [record(key("1"), "1")], token: "known")
    let tail = try b.read(RecordQuery(group: group, tokens: ["known", "unknown"]))
    check(tail.found == ["known": 1], "the tokens found are \(tail.found)")
  }

  private func groups(_ check: Check) throws {
    let (one, two) = (UUID().uuidString, UUID().uuidString)
    let store = try connect()
    let first = try write(store, one, [record(key("1"), "1")])
    let second = try write(store, two, [record(key("2"), "2")])
    check(first?.number == 1 && second?.number == 1, "groups share their numbers")
    let tail = try store.read(RecordQuery(group: two, newParts: ["ledger"]))
    check(tail.rows.map(\.key) == [key("2")], "groups share their rows")
  }

  private func hints(_ check: Check) throws {
    let group = UUID().uuidString
    let (a, b) = (try connect(), try connect())
    try write(a, group)
    let semaphore = DispatchSemaphore(value: 0)
    let observation = b.observe(group) { semaphore.signal() }
    var isHinted = false
    // A hint may be lost.
    for _ in 0..<20 where !isHinted {
      try write(a, group)
      isHinted = semaphore.wait(timeout: .now() + 0.1) == .success
    }
    check(isHinted, "of twenty commits no hint came")
    withExtendedLifetime(observation) {}
  }

  private func threads(_ check: Check) throws {
    let group = UUID().uuidString
    let stores = try (0..<4).map { _ in try connect() }
    let errors = Lock<[String]>([])
    let counter = key("n")
    DispatchQueue.concurrentPerform(iterations: 4) { index in
      for _ in 0..<25 {
        do {
          _ = try stores[index].transact(RecordQuery(group: group, keys: [counter])) { tail, _ in
            let count = tail.rows.first.flatMap { Int($0.body) } ?? 0
            return RecordWrites(
              commits: [.init(token: UUID().uuidString, touched: [counter])],
              rows: [SharedRecord(key: counter, order: "V0000000", version: 1, body: "\(count + 1)")],
              version: 0
            )
          }
        } catch {
          errors.withLock { $0.append("\(error)") }
        }
      }
    }
    let failed = errors.withLock { $0 }
    check(failed.isEmpty, "transactions beside each other fail: \(failed.first ?? "")")
    let tail = try stores[0].read(RecordQuery(group: group, newParts: ["ledger"]))
    check(
      tail.rows.first?.body == "100",
      "of a hundred transactions \(tail.rows.first?.body ?? "none") are seen"
    )
    check(tail.head.number == 100, "a hundred transactions have not a hundred numbers")
  }
}
