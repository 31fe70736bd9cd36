internal import FlaskSharing

/// What the server has answered to a query.
struct PostgresReading {
  private let query: RecordQuery
  private let head: RecordHead
  private let scope: RecordScope
  /// The number of the group in the tables.
  let group: Int
  private let found: [String: Int]
  private let touched: PostgresRows?
  private let newParts: PostgresRows?
  private let requested: PostgresRows?

  /// Whether all rows of the known parts are needed.
  var mustReadAll: Bool { scope.isEverything && !query.parts.isEmpty }

  // MARK: Asking

  static func calls(_ query: RecordQuery) -> [PostgresCall] {
    let group = PostgresValue.text(query.group)
    let number = PostgresValue.integer(query.since?.number)
    var calls = [PostgresCall(text: PostgresStatements.head, values: [group, number])]
    if asksTokens(query) {
      calls.append(PostgresCall(text: PostgresStatements.tokens, values: [group, .texts(query.tokens)]))
    }
    if asksTouched(query) {
      calls.append(
        PostgresCall(text: PostgresStatements.touched, values: [group, number, .texts(Array(query.parts))])
      )
    }
    if !query.newParts.isEmpty { calls.append(parts(query.newParts, of: query)) }
    if !query.keys.isEmpty { calls.append(rows(query.keys, of: query.group)) }
    return calls
  }

  private static func asksTokens(_ query: RecordQuery) -> Bool { !query.tokens.isEmpty }
  private static func asksTouched(_ query: RecordQuery) -> Bool { query.since != nil && !query.parts.isEmpty }

  private static func parts(_ parts: Set<String>, of query: RecordQuery) -> PostgresCall {
    PostgresCall(text: PostgresStatements.parts, values: [.text(query.group), .texts(Array(parts))])
  }

  /// All rows of the known parts.
  static func parts(_ query: RecordQuery) -> PostgresCall { parts(query.parts, of: query) }

  static func rows(_ keys: [RecordKey], of group: String) -> PostgresCall {
    PostgresCall(
      text: PostgresStatements.rows,
      values: [.text(group), .texts(keys.map(\.part)), .texts(keys.map(\.path)), .texts(keys.map(\.id))]
    )
  }

  // MARK: The answer

  /// - Parameter answers: those to `calls(query)`, in their order.
  /// - Returns: `nil` if there is no such group.
  init?(_ query: RecordQuery, _ answers: [PostgresRows]) {
    var rest = answers[...]
    guard let head = rest.popFirst(), head.count == 1, let group = head.integer(0, 0),
      let incarnation = head.text(0, 1), let version = head.integer(0, 2), let horizon = head.integer(0, 3)
    else { return nil }
    self.query = query
    self.group = group
    let position = RecordPosition(
      incarnation: incarnation,
      number: head.integer(0, 4) ?? 0,
      token: head.text(0, 5) ?? ""
    )
    self.head = RecordHead(position: position, version: version, horizon: horizon)
    let tokenThen = query.since?.number == 0 ? "" : head.text(0, 6)
    let hasUnlisted = head.bool(0, 7)
    let scope = query.scope(of: self.head, tokenThen: tokenThen)
    self.scope = hasUnlisted && !scope.isEverything ? .everything(isRestored: false) : scope
    var found: [String: Int] = [:]
    if Self.asksTokens(query), let tokens = rest.popFirst() {
      for row in 0..<tokens.count { found[tokens.text(row, 0) ?? ""] = tokens.integer(row, 1) }
    }
    self.found = found
    touched = Self.asksTouched(query) ? rest.popFirst() : nil
    newParts = query.newParts.isEmpty ? nil : rest.popFirst()
    requested = query.keys.isEmpty ? nil : rest.popFirst()
  }

  /// - Parameter all: all rows of the known parts, if they must be read.
  func tail(all: PostgresRows? = nil) -> RecordTail {
    var tail = RecordTail(head: head, scope: scope, rows: [], found: found)
    var seen: Set<RecordKey> = []
    func add(_ rows: PostgresRows?, isWhole: Bool) {
      guard let rows else { return }
      if isWhole { tail.rows.reserveCapacity(tail.rows.count + rows.count) }
      for row in 0..<rows.count {
        let record = Self.record(rows, row)
        // Only of these there may be two.
        if !isWhole, !seen.insert(record.key).inserted || isRead(record.key) { continue }
        tail.rows.append(record)
      }
    }
    add(newParts, isWhole: true)
    add(all, isWhole: true)
    if let touched, !scope.isEverything {
      for row in 0..<touched.count {
        let key = Self.key(touched, row)
        tail.touched.insert(key)
        if touched.isNull(row, 5) { continue }
        if seen.insert(key).inserted, !isRead(key) { tail.rows.append(Self.record(touched, row)) }
      }
    }
    add(requested, isWhole: false)
    return tail
  }

  /// Whether the row is among those of a part that was read as a whole.
  private func isRead(_ key: RecordKey) -> Bool {
    query.newParts.contains(key.part) || scope.isEverything && query.parts.contains(key.part)
  }

  static func records(_ rows: PostgresRows) -> [SharedRecord] { (0..<rows.count).map { record(rows, $0) } }

  private static func key(_ rows: PostgresRows, _ row: Int) -> RecordKey {
    RecordKey(part: rows.text(row, 0) ?? "", path: rows.text(row, 1) ?? "", id: rows.text(row, 2) ?? "")
  }

  private static func record(_ rows: PostgresRows, _ row: Int) -> SharedRecord {
    SharedRecord(
      key: key(rows, row),
      order: rows.text(row, 3) ?? "",
      version: rows.integer(row, 4) ?? 0,
      body: rows.text(row, 5) ?? ""
    )
  }
}
