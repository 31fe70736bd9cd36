internal import FlaskSharing
internal import Foundation
internal import GRDB

extension Database {
  func makeTables() throws {
    try execute(
      sql: """
        CREATE TABLE IF NOT EXISTS flask_group (
          id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, incarnation TEXT NOT NULL, version INTEGER NOT NULL,
          horizon INTEGER NOT NULL
        );
        CREATE TABLE IF NOT EXISTS flask_commit (
          grp INTEGER NOT NULL, seq INTEGER NOT NULL, token TEXT NOT NULL, at INTEGER NOT NULL, touched TEXT,
          PRIMARY KEY (grp, seq), UNIQUE (grp, token)
        ) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS flask_row (
          grp INTEGER NOT NULL, part TEXT NOT NULL, path TEXT NOT NULL, id TEXT NOT NULL, ord TEXT NOT NULL,
          ver INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (grp, part, path, id)
        ) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS flask_lease (
          name TEXT NOT NULL PRIMARY KEY, fence INTEGER NOT NULL, holder TEXT NOT NULL, until REAL NOT NULL
        ) WITHOUT ROWID;
        """
    )
  }

  /// Makes a group if it does not exist, and commits that: its identity must not change once it was seen. A transaction
  /// is in progress before and after.
  func makeGroup(_ name: String) throws {
    if try number(of: name) != nil { return }
    try execute(
      sql: "INSERT INTO flask_group (name, incarnation, version, horizon) VALUES (?, ?, 0, 0)",
      arguments: [name, UUID().uuidString]
    )
    try commit()
    try beginTransaction(.immediate)
  }

  private func number(of group: String) throws -> Int? {
    try Int.fetchOne(
      cachedStatement(sql: "SELECT id FROM flask_group WHERE name = ?"),
      arguments: [group]
    )
  }

  // MARK: Reading

  /// What a query asks for, at the moment of the transaction in progress; `nil` if there is no such group.
  func tail(_ query: RecordQuery) throws -> RecordTail? {
    let groups = try cachedStatement(
      sql: "SELECT id, incarnation, version, horizon FROM flask_group WHERE name = ?"
    )
    guard let group = try Row.fetchOne(groups, arguments: [query.group]) else { return nil }
    let number: Int = group[0]
    let last = try Row.fetchOne(
      cachedStatement(sql: "SELECT seq, token FROM flask_commit WHERE grp = ? ORDER BY seq DESC LIMIT 1"),
      arguments: [number]
    )
    let head = RecordHead(
      position: RecordPosition(incarnation: group[1], number: last?[0] ?? 0, token: last?[1] ?? ""),
      version: group[2],
      horizon: group[3]
    )
    var tokenThen: String? = ""
    if let since = query.since, since.number > 0 {
      tokenThen =
        since.number == head.number
        ? head.position.token
        : try String.fetchOne(
          cachedStatement(sql: "SELECT token FROM flask_commit WHERE grp = ? AND seq = ?"),
          arguments: [number, since.number]
        )
    }
    var tail = RecordTail(head: head, scope: query.scope(of: head, tokenThen: tokenThen), rows: [])
    if case .changes(let after) = tail.scope, after < head.number {
      try readTouched(after, query, number, &tail)
    }
    for token in query.tokens {
      let statement = try cachedStatement(sql: "SELECT seq FROM flask_commit WHERE grp = ? AND token = ?")
      tail.found[token] = try Int.fetchOne(statement, arguments: [number, token])
    }
    for name in query.leases { tail.leases[name] = try lease(name) }
    let whole = tail.scope.isEverything ? query.newParts.union(query.parts) : query.newParts
    for part in whole { tail.rows += try records(of: part, number) }
    let keys = tail.touched.union(query.keys).filter { !whole.contains($0.part) }
    tail.rows += try records(Array(keys), number)
    return tail
  }

  private func readTouched(_ after: Int, _ query: RecordQuery, _ group: Int, _ tail: inout RecordTail) throws
  {
    let statement = try cachedStatement(
      sql: "SELECT touched FROM flask_commit WHERE grp = ? AND seq > ? ORDER BY seq"
    )
    let decoder = JSONDecoder()
    for list in try Optional<String>.fetchAll(statement, arguments: [group, after]) {
      guard let list, let keys = try? decoder.decode([[String]].self, from: Data(list.utf8)) else {
        tail.scope = .everything(isRestored: false)
        tail.touched = []
        return
      }
      for key in keys where key.count == 3 && query.parts.contains(key[0]) {
        tail.touched.insert(RecordKey(part: key[0], path: key[1], id: key[2]))
      }
    }
  }

  private func records(of part: String, _ group: Int) throws -> [SharedRecord] {
    let statement = try cachedStatement(
      sql: "SELECT path, id, ord, ver, body FROM flask_row WHERE grp = ? AND part = ?"
    )
    var records: [SharedRecord] = []
    let cursor = try Row.fetchCursor(statement, arguments: [group, part])
    while let row = try cursor.next() {
      records.append(
        SharedRecord(
          key: RecordKey(part: part, path: row[0], id: row[1]),
          order: row[2],
          version: row[3],
          body: row[4]
        )
      )
    }
    return records
  }

  func records(_ keys: [RecordKey], of group: String) throws -> [SharedRecord] {
    guard let number = try number(of: group) else { return [] }
    return try records(keys, number)
  }

  private func records(_ keys: [RecordKey], _ group: Int) throws -> [SharedRecord] {
    if keys.isEmpty { return [] }
    let statement = try cachedStatement(
      sql: "SELECT ord, ver, body FROM flask_row WHERE grp = ? AND part = ? AND path = ? AND id = ?"
    )
    return try keys.compactMap { key in
      try Row.fetchOne(statement, arguments: [group, key.part, key.path, key.id]).map {
        SharedRecord(key: key, order: $0[0], version: $0[1], body: $0[2])
      }
    }
  }

  private func lease(_ name: String) throws -> Fence? {
    let statement = try cachedStatement(sql: "SELECT fence, holder FROM flask_lease WHERE name = ?")
    return try Row.fetchOne(statement, arguments: [name]).map {
      Fence(name: name, number: $0[0], holder: $0[1])
    }
  }

  // MARK: Writing

  /// The seconds since 1970 on the clock of this machine.
  private static let now = "(julianday('now') - 2440587.5) * 86400.0"

  /// Takes a lease, or renews it. The numbers are those of the clock, so that they grow after a backup was restored,
  /// too.
  func lease(_ name: String, holder: String, for seconds: Double) throws -> Fence? {
    let statement = try cachedStatement(
      sql: """
        INSERT INTO flask_lease (name, fence, holder, until) VALUES (?1, CAST(\(Self.now) * 1000 AS INTEGER), ?2, \(Self.now) + ?3)
        ON CONFLICT DO UPDATE SET
          fence = iif(holder = excluded.holder, fence, max(fence + 1, excluded.fence)), holder = excluded.holder, until = excluded.until
        WHERE holder = excluded.holder OR until <= \(Self.now)
        RETURNING fence
        """
    )
    let number = try Int64.fetchOne(statement, arguments: [name, holder, seconds])
    return number.map { Fence(name: name, number: $0, holder: holder) }
  }

  /// Gives a lease back.
  func endLease(_ name: String, holder: String) throws {
    try execute(
      sql: "UPDATE flask_lease SET holder = '', until = 0 WHERE name = ? AND holder = ?",
      arguments: [name, holder]
    )
  }

  /// The number of seconds for which commits are listed.
  private static let retention = 24 * 60 * 60

  /// Writes a transaction.
  ///
  /// - Returns: the position of its last commit.
  func write(_ writes: RecordWrites, to group: String, after head: RecordHead) throws -> RecordPosition {
    guard let number = try number(of: group) else { throw RecordStoreError.unavailable("the group is gone") }
    var position = head.position
    let commit = try cachedStatement(
      sql:
        "INSERT INTO flask_commit (grp, seq, token, at, touched) VALUES (?, ?, ?, strftime('%s', 'now'), ?)"
    )
    for one in writes.commits {
      position.number += 1
      position.token = one.token
      let touched = try one.touched.map { try Self.text(of: $0) }
      try commit.execute(arguments: [number, position.number, one.token, touched])
    }
    let upsert = try cachedStatement(
      sql: """
        INSERT INTO flask_row (grp, part, path, id, ord, ver, body) VALUES (?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET ord = excluded.ord, ver = excluded.ver, body = excluded.body
        """
    )
    for row in writes.rows {
      let key = row.key
      try upsert.execute(arguments: [number, key.part, key.path, key.id, row.order, row.version, row.body])
    }
    let removal = try cachedStatement(
      sql: "DELETE FROM flask_row WHERE grp = ? AND part = ? AND path = ? AND id = ?"
    )
    for key in writes.removed { try removal.execute(arguments: [number, key.part, key.path, key.id]) }
    let order = try cachedStatement(
      sql: "UPDATE flask_row SET ord = ? WHERE grp = ? AND part = ? AND path = ? AND id = ?"
    )
    for (key, text) in writes.orders {
      try order.execute(arguments: [text, number, key.part, key.path, key.id])
    }
    if writes.version > head.version {
      try execute(
        sql: "UPDATE flask_group SET version = ? WHERE id = ?",
        arguments: [writes.version, number]
      )
    }
    // More than come are removed at a time.
    if position.number % 64 < writes.commits.count { try prune(number, before: position.number) }
    return position
  }

  private static func text(of keys: [RecordKey]) throws -> String {
    String(decoding: try JSONEncoder().encode(keys.map { [$0.part, $0.path, $0.id] }), as: UTF8.self)
  }

  /// Removes the oldest commits from the list, a thousand at most, and never the newest: none whose predecessors stay,
  /// whatever the clock was.
  private func prune(_ group: Int, before last: Int) throws {
    let statement = try cachedStatement(
      sql: """
        DELETE FROM flask_commit WHERE grp = ?1 AND seq <= (
          SELECT max(seq) FROM (
            SELECT seq, at FROM flask_commit WHERE grp = ?1 AND seq < ?2 ORDER BY seq LIMIT 1000
          ) WHERE at < strftime('%s', 'now') - ?3
        )
        """
    )
    try statement.execute(arguments: [group, last, Self.retention])
    if changesCount == 0 { return }
    try execute(
      sql:
        "UPDATE flask_group SET horizon = (SELECT min(seq) FROM flask_commit WHERE grp = ?1) WHERE id = ?1",
      arguments: [group]
    )
  }
}
