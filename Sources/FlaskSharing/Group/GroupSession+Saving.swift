internal import FlaskEntities
internal import FlaskPrimitives
internal import Foundation

extension GroupSession {
  /// One attempt to save, from the pinning to the outcome.
  final class Attempt {
    let pins: [String: Pin]
    let query: RecordQuery
    let transactions: [any SharedTransaction]
    /// Why parts can't be encoded, or rows were not written.
    var failures: [RecordKey: ArchiveError]
    /// The commit that was decided on; `nil` if nothing is to be written.
    var decision: Decision?
    /// Whether others have written since the last reading.
    var hasOthers = false

    /// The number of rows that are pending, as far as it is known.
    var pendingCount: Int {
      max(query.keys.count, pins.values.contains { !$0.outline.isSame(as: $0.shadow) } ? 1 : 0)
    }

    init(
      _ pins: [String: Pin],
      _ query: RecordQuery,
      _ transactions: [any SharedTransaction],
      _ failures: [RecordKey: ArchiveError]
    ) {
      self.pins = pins
      self.query = query
      self.transactions = transactions
      self.failures = failures
    }
  }

  /// The effect of a transaction, once it is done.
  struct Decision {
    let token: String
    let since: RecordPosition
    /// The number of commits.
    let count: Int
    let shadows: [String: StateOutline]
    let truths: [String: StateOutline]
    let settle: [() -> Void]
  }

  // MARK: Pinning

  enum Pinning {
    /// Nothing is pending, nothing is in doubt, and there is no transaction to perform.
    case nothing
    case attempt(Attempt)
    /// An arrival is being published for long. Try again soon.
    case busy
  }

  /// Pins memory. Until `settle`, `abandon` or `leaveInDoubt` is called, no arrival is installed.
  func pin(_ transactions: [any SharedTransaction]) -> Pinning {
    let parts = change { shared in
      shared.phase = .saving
      shared.saves += 1
      return shared.members.values.filter { shared.parts[$0.key].map { $0.stage != .joining } ?? false }
    }
    guard let pinned = pinned(parts) else {
      endPhase()
      return .busy
    }
    var failures: [RecordKey: ArchiveError] = [:]
    var pins: [String: Pin] = [:]
    var keys: [RecordKey] = []
    for (part, state, shadow) in pinned {
      do throws(ArchiveError) {
        let outline = try outline(of: state, part)
        pins[part.key] = Pin(state: state, outline: outline, shadow: shadow)
        keys += requested(part, from: shadow, to: outline)
      } catch {
        failures[part.restKey] = error
      }
    }
    let isPending = pins.contains { !$1.outline.isSame(as: $1.shadow) }
    if !isPending, failures.isEmpty, doubt == nil, transactions.isEmpty {
      endPhase()
      return .nothing
    }
    let query = query(keys: keys, tokens: transactions.compactMap(\.token))
    return .attempt(Attempt(pins, query, transactions, failures))
  }

  private func endPhase() { change { if doubt == nil { $0.phase = .idle } } }

  /// The states of all parts at one moment, with their shadows.
  private func pinned(_ parts: [SharedPart]) -> [(SharedPart, PinnedState, StateOutline)]? {
    for _ in 0..<2000 {
      let states = Cell.pinPresentTogether(parts.map(\.cell)).map { PinnedState($0) }
      let shadows = change { shared in
        zip(parts, states).map { part, state in shared.parts[part.key]?.shadow(of: state) }
      }
      if shadows.allSatisfy({ $0 != nil }) {
        return zip(zip(parts, states), shadows).compactMap { pair, shadow in
          shadow.map { (pair.0, pair.1, $0) }
        }
      }
      // An operation has decided what to install, and is about to publish it.
      usleep(50)
    }
    return nil
  }

  func outline(of state: PinnedState, _ part: SharedPart) throws(ArchiveError) -> StateOutline {
    if let known = shared.withLock({ $0.parts[part.key]?.known }), known.state.box === state.box {
      return known.outline
    }
    let outline = try part.outline(of: state)
    change { shared in
      shared.parts[part.key]?.known = (state, outline)
      shared.parts[part.key]?.isUnusable = false
    }
    return outline
  }

  /// The keys of the rows that are pending and may exist.
  private func requested(_ part: SharedPart, from shadow: StateOutline, to mine: StateOutline) -> [RecordKey]
  {
    guard case .present? = shared.withLock({ $0.parts[part.key]?.presence }) else { return [] }
    return pending(part, from: shadow, to: mine)
  }

  private func pending(_ part: SharedPart, from shadow: StateOutline, to mine: StateOutline) -> [RecordKey] {
    var keys = shadow.text == mine.text ? [] : [part.restKey]
    for (path, table) in tables[part.key] ?? [:] {
      if let base = shadow.contents[path], let mine = mine.contents[path], base !== mine {
        keys += table.keys(from: base, to: mine)
      }
    }
    return keys
  }

  // MARK: In the transaction

  /// Takes over what others have written, and decides what to write.
  ///
  /// - Parameter fetch: reads further rows in the same transaction.
  /// - Throws: `SharingError`: nothing may be written.
  func decide(_ tail: RecordTail, _ attempt: Attempt, fetch: ([RecordKey]) throws -> [SharedRecord]) throws
    -> RecordWrites?
  {
    attempt.decision = nil
    attempt.hasOthers = tail.head.position != position
    absorb(tail, attempt.query, isAlone: true)
    if let refusal { throw refusal }
    var stored = Dictionary(tail.rows.map { ($0.key, $0) }) { $1 }
    let (parts, versions) = shared.withLock { ($0.members, $0.parts) }
    var pins: [String: Pin] = [:]
    for (key, pin) in attempt.pins {
      guard let part = parts[key], let versions = versions[key] else { continue }
      // A transaction that was in doubt may be done, so that less is pending.
      pins[key] = Pin(state: pin.state, outline: pin.outline, shadow: versions.shadow)
      guard case .present = versions.presence else { continue }
      let missing = pending(part, from: versions.shadow, to: pin.outline).filter { stored[$0] == nil }
      let isRequested = Set(attempt.query.keys)
      for row in try fetch(missing.filter { !isRequested.contains($0) }) { stored[row.key] = row }
    }
    for transaction in attempt.transactions { transaction.state = .waiting }
    let writing = try write(attempt, pins, parts, versions, tail, &stored, fetch)
    attempt.failures.merge(writing.failures) { $1 }
    report(dropped: writing.dropped)
    return finish(writing, attempt, tail)
  }

  /// Works out what to write. A closure whose changes can't all be written is left out, and it is worked out again.
  private func write(
    _ attempt: Attempt,
    _ pins: [String: Pin],
    _ parts: [String: SharedPart],
    _ versions: [String: PartVersions],
    _ tail: RecordTail,
    _ stored: inout [RecordKey: SharedRecord],
    _ fetch: ([RecordKey]) throws -> [SharedRecord]
  ) throws -> Writing {
    let alone = write(pins, nil, parts, versions, stored)
    if attempt.transactions.isEmpty { return alone }
    while true {
      let drafts = perform(attempt.transactions, pins, parts, versions, tail)
      guard !drafts.isEmpty else { return alone }
      for (key, draft) in drafts {
        guard let part = parts[key], let truth = versions[key]?.truth else { continue }
        let missing = pending(part, from: truth, to: draft).filter { stored[$0] == nil }
        for row in try fetch(missing) { stored[row.key] = row }
      }
      var writing = write(pins, drafts, parts, versions, stored)
      writing.dropped = alone.dropped
      let failed = writing.failures.filter { alone.failures[$0.key] == nil }
      let failedParts = Set(failed.keys.map(\.part))
      let spoilt = attempt.transactions.filter { transaction in
        transaction.state == .performed && transaction.parts.contains { failedParts.contains($0.key) }
      }
      if spoilt.isEmpty { return writing }
      for transaction in spoilt { transaction.fail(SharingError.rowsNotSaved(failed)) }
    }
  }

  private func write(
    _ pins: [String: Pin],
    _ drafts: [String: StateOutline]?,
    _ parts: [String: SharedPart],
    _ versions: [String: PartVersions],
    _ stored: [RecordKey: SharedRecord]
  ) -> Writing {
    var writing = Writing(version: coding.version)
    for (key, pin) in pins {
      guard let part = parts[key], let versions = versions[key] else { continue }
      var mine = pin.outline
      var base = pin.shadow
      if let draft = drafts?[key] {
        mine = draft
        base = versions.truth
      }
      if mine.isSame(as: base) {
        writing.shadows[key] = pin.outline
      } else {
        write(part, base: base, mine: mine, pin: pin, versions, stored, &writing)
      }
    }
    return writing
  }

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

  private func finish(_ writing: Writing, _ attempt: Attempt, _ tail: RecordTail) -> RecordWrites? {
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

  private func write(
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

  private func write(
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

  private func report(dropped: [RecordKey]) {
    if dropped.isEmpty { return }
    let names = dropped.prefix(5).map { "\($0.part) \($0.path) \($0.id)" }.joined(separator: ", ")
    report(
      .archiveWarning,
      "\(dropped.count) changes of the shared group \(name) were dropped, since others have removed the rows: \(names)"
    )
  }

  // MARK: The outcome

  /// The transaction is done, or nothing had to be written.
  func settle(_ attempt: Attempt, at position: RecordPosition?) {
    guard let decision = attempt.decision else { return abandon(attempt) }
    for settle in decision.settle { settle() }
    let versions = shared.withLock { $0.parts }
    var truths = decision.truths
    for (key, shadow) in decision.shadows {
      guard let truth = truths[key] ?? versions[key]?.truth else { continue }
      truths[key] = truth.sharing(with: shadow)
    }
    for (key, truth) in truths {
      for (path, content) in truth.contents { tables[key]?[path]?.share(content) }
    }
    change { shared in
      if let position { shared.position = position }
      for (key, shadow) in decision.shadows { shared.parts[key]?.handOver(shadow, at: 0) }
      for (key, truth) in truths { shared.parts[key]?.truth = truth }
      for key in decision.truths.keys { shared.parts[key]?.presence = .present }
      shared.phase = .idle
    }
  }

  /// Nothing was written.
  func abandon(_ attempt: Attempt) { endPhase() }

  /// It is not known whether it was written. No arrival is installed until that is known.
  func leaveInDoubt(_ attempt: Attempt) {
    guard let decision = attempt.decision, decision.count > 0 else { return abandon(attempt) }
    doubt = Doubt(token: decision.token, since: decision.since, shadows: decision.shadows)
  }
}
