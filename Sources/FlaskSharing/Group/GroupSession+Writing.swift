internal import FlaskEntities
internal import FlaskPrimitives
internal import Foundation

extension GroupSession {
  /// The rows that a transaction writes, part by part.
  struct Writing {
    let version: Int
    var rows: [SharedRecord] = []
    var removed: [RecordKey] = []
    var orders: [RecordKey: String] = [:]
    var shadows: [String: StateOutline] = [:]
    var truths: [String: StateOutline] = [:]
    var failures: [RecordKey: ArchiveError] = [:]
    var dropped: [RecordKey] = []
    var settle: [() -> Void] = []
  }

  func finish(_ writing: Writing, _ attempt: Attempt, _ tail: RecordTail) -> RecordWrites? {
    let isEmpty = writing.rows.isEmpty && writing.removed.isEmpty && writing.orders.isEmpty
    let performed = attempt.transactions.filter { $0.state == .performed }
    let tokens = performed.compactMap(\.token)
    let token = UUID().uuidString
    for transaction in performed { transaction.attempt = token }
    let decision = Decision(
      token: token,
      since: tail.head.position,
      count: isEmpty && tokens.isEmpty ? 0 : 1 + tokens.count,
      shadows: writing.shadows,
      truths: writing.truths,
      settle: writing.settle
    )
    attempt.decision = decision
    if decision.count == 0 { return nil }
    let touched = Set(writing.rows.map(\.key) + writing.removed + writing.orders.keys)
    // A process that is behind reads all rows rather than such a list.
    let isListed = touched.count <= 10_000
    return RecordWrites(
      commits: tokens.map { .init(token: $0, touched: []) } + [
        .init(token: token, touched: isListed ? Array(touched) : nil)
      ],
      rows: writing.rows,
      removed: writing.removed,
      orders: writing.orders,
      version: max(tail.head.version, coding.version)
    )
  }

  func write(
    _ part: SharedPart,
    base: StateOutline,
    mine: StateOutline,
    pin: Pin,
    _ versions: PartVersions,
    _ stored: [RecordKey: SharedRecord],
    _ writing: inout Writing
  ) {
    switch versions.presence {
    case .unreadable(let error): writing.failures[part.restKey] = error
    case .unknown, .absent:
      do throws(ArchiveError) {
        let whole = try part.merged(base: base, mine: mine, theirs: versions.truth, coding)
        let empty = StateOutline(text: Data(), contents: whole.contents.mapValues(RowTables.empty))
        write(part, base: empty, mine: whole, pin: pin, theirs: nil, versions, stored, &writing)
      } catch {
        writing.failures[part.restKey] = error
      }
    case .present:
      do throws(ArchiveError) {
        var theirs: Data?
        if let row = stored[part.restKey] { theirs = try coding.migrated(row) }
        write(part, base: base, mine: mine, pin: pin, theirs: theirs, versions, stored, &writing)
      } catch {
        writing.failures[part.restKey] = error
      }
    }
  }

  func write(
    _ part: SharedPart,
    base: StateOutline,
    mine: StateOutline,
    pin: Pin,
    theirs: Data?,
    _ versions: PartVersions,
    _ stored: [RecordKey: SharedRecord],
    _ writing: inout Writing
  ) {
    var text = versions.truth.text
    var contents = versions.truth.contents
    // Rows that can't be written stay pending.
    var shadow = pin.outline.contents
    if mine.text != base.text {
      do throws(ArchiveError) {
        var written = mine.text
        if let theirs { written = try part.merged(base: base.text, mine: mine.text, theirs: theirs, coding) }
        if written != theirs {
          let body = String(decoding: written, as: UTF8.self)
          writing.rows.append(
            SharedRecord(key: part.restKey, order: "", version: coding.version, body: body)
          )
        }
        text = try written == mine.text ? written : part.normal(written, coding)
      } catch {
        writing.failures[part.restKey] = error
        return
      }
    }
    for (path, table) in tables[part.key] ?? [:] {
      guard let own = mine.contents[path], let known = base.contents[path] else { continue }
      var rows: [String: SharedRecord] = [:]
      for (key, row) in stored where key.part == part.key && key.path == table.path { rows[key.id] = row }
      let writes = table.writes(from: known, to: own, rows, coding)
      writing.rows += writes.rows
      writing.removed += writes.removed
      writing.orders.merge(writes.orders) { $1 }
      writing.dropped += writes.dropped
      writing.settle.append(writes.settle)
      contents[path] = writes.content
      if writes.failed.isEmpty { continue }
      for (key, error) in writes.failed { writing.failures[key] = error }
      if let old = pin.shadow.contents[path], let new = shadow[path] {
        shadow[path] = RowTables.reverted(writes.failed.map(\.key.id), of: new, to: old)
      }
    }
    writing.shadows[part.key] = StateOutline(text: pin.outline.text, contents: shadow)
    writing.truths[part.key] = StateOutline(text: text, contents: contents)
  }

  func report(dropped: [RecordKey]) {
    if dropped.isEmpty { return }
    let names = dropped.prefix(5).map { "\($0.part) \($0.path) \($0.id)" }.joined(separator: ", ")
    report(
      .archiveWarning,
      "\(dropped.count) changes of the shared group \(name) were dropped, since others have removed the rows: \(names)"
    )
  }
}
