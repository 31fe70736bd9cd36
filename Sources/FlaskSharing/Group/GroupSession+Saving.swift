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

    /// Whether something is pending beside the transactions.
    private let isPending: Bool

    /// The number of rows that are pending, as far as it is known.
    var pendingCount: Int { isPending ? max(1, query.keys.count) : 0 }

    init(
      _ pins: [String: Pin],
      _ query: RecordQuery,
      _ transactions: [any SharedTransaction],
      _ failures: [RecordKey: ArchiveError],
      isPending: Bool
    ) {
      self.isPending = isPending
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
    /// An arrival was still being published after 2,000 attempts to pin the states. The caller tries again soon.
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
    let isPending = !keys.isEmpty || pins.contains { !$1.outline.isSame(as: $1.shadow) }
    if !isPending, failures.isEmpty, doubt == nil, transactions.isEmpty {
      endPhase()
      return .nothing
    }
    let query = query(
      keys: keys,
      tokens: transactions.flatMap { [$0.token, $0.attempt].compactMap { $0 } },
      leases: Array(Set(transactions.compactMap(\.fence?.name)))
    )
    let mayBePending = isPending || !failures.isEmpty || doubt != nil
    return .attempt(Attempt(pins, query, transactions, failures, isPending: mayBePending))
  }

  func endPhase() { change { if doubt == nil { $0.phase = .idle } } }

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
      shared.parts[part.key]?.unusable = nil
    }
    return outline
  }

  /// The keys of the rows that are pending and may exist.
  private func requested(_ part: SharedPart, from shadow: StateOutline, to mine: StateOutline) -> [RecordKey]
  {
    guard case .present? = shared.withLock({ $0.parts[part.key]?.presence }) else { return [] }
    return pending(part, from: shadow, to: mine)
  }

  func pending(_ part: SharedPart, from shadow: StateOutline, to mine: StateOutline) -> [RecordKey] {
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
    let isRequested = Set(attempt.query.keys)
    for (key, pin) in attempt.pins {
      guard let part = parts[key], let versions = versions[key] else { continue }
      // A transaction that was in doubt may be done, so that less is pending.
      pins[key] = Pin(state: pin.state, outline: pin.outline, shadow: versions.shadow)
      guard case .present = versions.presence else { continue }
      let missing = pending(part, from: versions.shadow, to: pin.outline).filter { stored[$0] == nil }
      for row in try fetch(missing.filter { !isRequested.contains($0) }) { stored[row.key] = row }
    }
    for transaction in attempt.transactions where transaction.state != .done { transaction.state = .waiting }
    let writing = try write(attempt, pins, parts, versions, tail, &stored, fetch)
    attempt.failures.merge(writing.failures) { $1 }
    report(dropped: writing.dropped)
    return finish(writing, attempt, tail)
  }

  /// Determines the rows to write. If some changes of a transaction's closure can't be written, this transaction fails,
  /// and the rows are determined again without it.
  func write(
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

  func write(
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
}
