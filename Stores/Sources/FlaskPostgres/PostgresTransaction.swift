internal import FlaskSharing

/// One transaction on a group: two round trips, and a third one if all rows have to be read.
struct PostgresTransaction {
  typealias Decide = (RecordTail, _ fetch: @escaping ([RecordKey]) throws -> [SharedRecord]) throws ->
    RecordWrites?

  private let connection: PostgresConnection
  private let query: RecordQuery

  init(_ connection: PostgresConnection, _ query: RecordQuery) {
    self.connection = connection
    self.query = query
  }

  /// - Parameter makeGroup: is called without a transaction if there is no such group.
  /// - Throws: `PostgresFailure` if `decide` was not called.
  func perform(_ decide: Decide, makeGroup: () throws -> Void) throws -> RecordPosition? {
    var found = try begin()
    if found == nil {
      try rollBack()
      try makeGroup()
      found = try begin()
    }
    guard let (reading, tail) = found else {
      try rollBack()
      throw RecordStoreError.unavailable("the group can't be made")
    }
    do {
      let group = query.group
      let writes = try decide(tail) { [connection] keys in
        if keys.isEmpty { return [] }
        return PostgresReading.records(try connection.perform([PostgresReading.rows(keys, of: group)])[0])
      }
      guard let writes else {
        try rollBack()
        return nil
      }
      return try write(writes, to: reading.group, after: tail.head)
    } catch let failure as PostgresFailure {
      try? rollBack()
      throw failure.error
    } catch {
      try? rollBack()
      throw error
    }
  }

  private func rollBack() throws {
    if connection.isUsable { try connection.perform([PostgresCall(text: PostgresStatements.rollback)]) }
  }

  private func begin() throws -> (PostgresReading, RecordTail)? {
    let calls = PostgresReading.calls(query)
    var first = connection.beginning
    first.append(PostgresCall(text: PostgresStatements.turn, values: [.text(query.group)]))
    if !query.leases.isEmpty {
      first.append(PostgresCall(text: PostgresStatements.leases, values: [.texts(query.leases)]))
    }
    do {
      let answers = try connection.perform(first + calls)
      guard let reading = PostgresReading(query, Array(answers.dropFirst(first.count))) else { return nil }
      var all: PostgresRows?
      if reading.mustReadAll { all = try connection.perform([PostgresReading.parts(query)])[0] }
      var tail = reading.tail(all: all)
      if !query.leases.isEmpty { tail.leases = Self.leases(answers[first.count - 1]) }
      return (reading, tail)
    } catch let failure as PostgresFailure {
      try? rollBack()
      if failure.code == "55P03", connection.isUsable {
        _ = try? connection.perform([
          PostgresCall(text: PostgresStatements.endGhost, values: [.text(query.group)])
        ])
      }
      throw failure
    }
  }

  private static func leases(_ rows: PostgresRows) -> [String: Fence] {
    var leases: [String: Fence] = [:]
    for row in 0..<rows.count {
      guard let name = rows.text(row, 0), let number = rows.integer(row, 1), let holder = rows.text(row, 2)
      else {
        continue
      }
      leases[name] = Fence(name: name, number: Int64(number), holder: holder)
    }
    return leases
  }

  // MARK: Writing

  private func write(_ writes: RecordWrites, to group: Int, after head: RecordHead) throws -> RecordPosition {
    var position = head.position
    position.number += writes.commits.count
    position.token = writes.commits.last?.token ?? position.token
    var calls = [commits(writes, to: group, after: head.number)]
    calls += rows(writes, in: group)
    if writes.version > head.version {
      calls.append(
        PostgresCall(
          text: PostgresStatements.raiseVersion,
          values: [.integer(group), .integer(writes.version)]
        )
      )
    }
    // More than come are removed at a time.
    if position.number % 64 < writes.commits.count {
      calls.append(
        PostgresCall(text: PostgresStatements.prune, values: [.integer(group), .integer(position.number)])
      )
    }
    let commit = calls.count
    calls.append(PostgresCall(text: PostgresStatements.commit))
    do {
      try connection.perform(calls)
    } catch let failure as PostgresFailure where failure.index ?? 0 > commit {
      // The commit was answered. What has failed is behind it.
      return position
    } catch let failure as PostgresFailure
      where failure.mayBeDone(commitAt: commit, isPooled: connection.isPooled)
    {
      throw RecordStoreError.unknownOutcome(failure.message)
    }
    return position
  }

  private func commits(_ writes: RecordWrites, to group: Int, after number: Int) -> PostgresCall {
    let numbers = (1...max(1, writes.commits.count)).map { number + $0 }
    return PostgresCall(
      text: PostgresStatements.addCommits,
      values: [
        .integer(group), .integers(numbers), .texts(writes.commits.map(\.token)),
        .json(writes.commits.map { $0.touched.map(Self.list) }),
      ]
    )
  }

  private func rows(_ writes: RecordWrites, in group: Int) -> [PostgresCall] {
    func keys(_ keys: [RecordKey]) -> [PostgresValue] {
      [.integer(group), .texts(keys.map(\.part)), .texts(keys.map(\.path)), .texts(keys.map(\.id))]
    }
    var calls: [PostgresCall] = []
    for rows in Self.pieces(writes.rows) {
      let values =
        keys(rows.map(\.key)) + [
          .texts(rows.map(\.order)), .integers(rows.map(\.version)), .json(rows.map(\.body)),
        ]
      calls.append(PostgresCall(text: PostgresStatements.upsert, values: values))
    }
    if !writes.removed.isEmpty {
      calls.append(PostgresCall(text: PostgresStatements.remove, values: keys(writes.removed)))
    }
    if !writes.orders.isEmpty {
      let orders = Array(writes.orders)
      calls.append(
        PostgresCall(
          text: PostgresStatements.reorder,
          values: keys(orders.map(\.key)) + [.texts(orders.map(\.value))]
        )
      )
    }
    return calls
  }

  /// The rows in pieces of a megabyte: a message has a limit, and one that takes a minute counts as vanished.
  private static func pieces(_ rows: [SharedRecord]) -> [ArraySlice<SharedRecord>] {
    var pieces: [ArraySlice<SharedRecord>] = []
    var start = 0
    var size = 0
    for (index, row) in rows.enumerated() {
      size += row.body.utf8.count + 200
      if size < 1 << 20, index + 1 < rows.count { continue }
      pieces.append(rows[start...index])
      start = index + 1
      size = 0
    }
    return pieces
  }

  /// The keys of rows as JSON.
  private static func list(_ keys: [RecordKey]) -> String {
    "[" + keys.map { "[\(quoted($0.part)),\(quoted($0.path)),\(quoted($0.id))]" }.joined(separator: ",") + "]"
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\u{0}"..."\u{1f}":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
