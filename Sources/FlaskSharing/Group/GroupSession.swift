internal import FlaskEntities
internal import FlaskPrimitives
internal import Foundation

/// The state of a shared group in this process, and the decisions about reading, merging and saving. It accesses no
/// store, and starts no thread.
///
/// A `GroupWorker` calls one function after another. Operations of a flux call `install(in:of:)`. A save has three
/// steps. For the terms *truth* and *shadow* see `PartVersions`.
///
/// ```text
/// pin      pins the states of all parts, at one moment. No arrival is installed until the end of the save.
/// decide   in the transaction: reads the rows that others have written, and merges the pending changes into them
/// settle   after the commit: the pinned states become the shadow, and the written rows become the truth
/// ```
final class GroupSession: @unchecked Sendable {
  // `@unchecked Sendable`:
  // - Isolation: `shared` is guarded by its lock; all other variables belong to the worker of the group.
  // - Invariant: nothing is released under the lock that may run client code.
  // - If violated: a data race; a deadlock.

  /// The phases of a group.
  enum Phase: Sendable {
    case idle
    /// Memory was pinned, and the outcome is not known.
    case saving
  }

  struct Shared {
    var phase = Phase.idle
    /// The number of saves that have begun.
    var saves = 0
    var parts: [String: PartVersions] = [:]
    var members: [String: SharedPart] = [:]
    /// Parts that become members once an earlier part of their key has left.
    var successors: [String: Successor] = [:]
    var position: RecordPosition?
    /// The version of the group.
    var version = 0
    /// How often another history was found in the database.
    var restorations = 0
  }

  let name: String
  let coding: RowCoding
  let isReadOnly: Bool
  let shared = Lock(Shared())

  /// A transaction whose outcome is unknown.
  var doubt: Doubt?
  var tables: [String: [[EntitiesCollector.Step]: RowTable]] = [:]
  /// Whether the last reading had so many rows that more should be read before a transaction.
  var isFarBehind = false
  let report: @Sendable (FlaskFault.Kind, String) -> Void

  /// A part that waits until an earlier part of its key has left.
  struct Successor {
    let part: SharedPart
    /// Whether its substance is complete.
    var isOpen = false
  }

  struct Doubt {
    let token: String
    /// The commit before it.
    let since: RecordPosition
    /// The shadows of the parts once it is done.
    let shadows: [String: StateOutline]
    /// The closures that were performed in it.
    let transactions: [any SharedTransaction]
  }

  /// The memory of one part at the moment of a save.
  struct Pin {
    let state: PinnedState
    let outline: StateOutline
    let shadow: StateOutline
  }

  init(
    _ name: String,
    _ coding: RowCoding,
    isReadOnly: Bool,
    report: @escaping @Sendable (FlaskFault.Kind, String) -> Void
  ) {
    self.name = name
    self.coding = coding
    self.isReadOnly = isReadOnly
    self.report = report
  }

  /// The commit up to which the truth was read; `nil` before the first reading. Any thread may read it.
  var position: RecordPosition? { shared.withLock { $0.position } }

  /// Changes the versions of parts, and releases what was replaced without the lock.
  func change<Result>(_ body: (inout Shared) -> Result) -> Result {
    let (result, old) = shared.withLock { shared in
      let old = shared.parts
      return (body(&shared), old)
    }
    withExtendedLifetime(old) {}
    return result
  }

  // MARK: Reading

  /// The query for all that others have written.
  func query(keys: [RecordKey] = [], tokens: [String] = [], leases: [String] = []) -> RecordQuery {
    let (all, unread, position) = shared.withLock { shared in
      let unread = shared.parts.filter { if case .unknown = $0.value.presence { true } else { false } }
      return (Set(shared.members.keys), Set(unread.keys), shared.position)
    }
    return RecordQuery(
      group: name,
      since: position,
      parts: all.subtracting(unread),
      newParts: unread,
      keys: keys,
      tokens: tokens + (doubt.map { [$0.token] } ?? []),
      leases: leases
    )
  }

  /// Takes over what was read, of all parts at once.
  ///
  /// - Parameter isAlone: whether this process has the turn of the group.
  func absorb(_ tail: RecordTail, _ query: RecordQuery, isAlone: Bool) {
    isFarBehind = tail.rows.count > 1000
    var rows: [String: [SharedRecord]] = [:]
    for row in tail.rows { rows[row.key.part, default: []].append(row) }
    var gone: [String: [RecordKey]] = [:]
    let present = Set(tail.rows.map(\.key))
    for key in tail.touched where !present.contains(key) { gone[key.part, default: []].append(key) }
    let (members, known, number) = shared.withLock { ($0.members, $0.parts, $0.position?.number ?? 0) }
    var changed: [String: PartVersions] = [:]
    for (key, part) in members where query.parts.contains(key) || query.newParts.contains(key) {
      let isWhole = query.newParts.contains(key) || tail.scope.isEverything
      // Rows that were requested, and that no commit has touched, are known.
      let own = (rows[key] ?? []).filter { isWhole || tail.touched.contains($0.key) }
      guard isWhole || !own.isEmpty || gone[key] != nil, let versions = known[key] else { continue }
      changed[key] = absorb(own, gone[key] ?? [], isWhole: isWhole, as: part, versions)
    }
    let isRestored = tail.scope == .everything(isRestored: true)
    let reached = known.filter { changed[$0.key] != nil }.mapValues { $0.reached(number) }
    change { shared in
      if isRestored { shared.restorations += 1 }
      for (key, new) in changed {
        if isRestored {
          shared.parts[key]?.forgetReached()
        } else {
          shared.parts[key]?.didReach(reached[key] ?? 0)
        }
        shared.parts[key]?.presence = new.presence
        shared.parts[key]?.truth = new.truth
        shared.parts[key]?.unusable = nil
      }
      shared.version = tail.head.version
      shared.position = tail.head.position
    }
    if isRestored {
      report(
        .archiveWarning,
        "the shared group \(name) is not what it was: a backup of its database was restored, or a standby was promoted; "
          + "what it has now is used, with what was not yet saved here"
      )
    }
    settleDoubt(tail, isAlone: isAlone)
  }

  private func absorb(
    _ rows: [SharedRecord],
    _ gone: [RecordKey],
    isWhole: Bool,
    as part: SharedPart,
    _ versions: PartVersions
  ) -> PartVersions {
    var versions = versions
    var tables = self.tables[part.key] ?? [:]
    for (path, content) in part.initial.contents where tables[path] == nil {
      tables[path] = RowTables.make(part.key, path, like: content)
    }
    self.tables[part.key] = tables
    var text = versions.truth.text
    let rest = rows.first { $0.key.isRest }
    let isGone = rest == nil && (isWhole || gone.contains { $0.isRest })
    if let rest {
      do throws(ArchiveError) {
        text = try part.normal(coding.migrated(rest), coding)
        versions.presence = .present
      } catch {
        versions.presence = .unreadable(error)
        report(.archiveUnreadable, "the part \(part.key) of the shared group \(name) can't be read: \(error)")
      }
    }
    var byPath: [String: [SharedRecord]] = [:]
    for row in rows where !row.key.isRest { byPath[row.key.path, default: []].append(row) }
    var errors: [ArchiveError] = []
    for table in tables.values {
      let removed = gone.filter { $0.path == table.path && !$0.isRest }.map(\.id)
      let own = isGone ? [] : byPath[table.path] ?? []
      if isGone || isWhole || !own.isEmpty || !removed.isEmpty {
        errors += table.apply(own, removed: removed, isWhole: isWhole || isGone, coding)
      }
    }
    if let error = errors.first {
      report(
        .archiveUnreadable,
        "\(errors.count) rows of the part \(part.key) of the shared group \(name) can't be read, and stay as they are: \(error)"
      )
    }
    if isGone {
      versions.presence = .absent
      versions.truth = part.initial
    } else {
      versions.truth = StateOutline(
        text: text,
        contents: versions.truth.contents.merging(tables.mapValues(\.content)) { $1 }
      )
    }
    return versions
  }

  // MARK: A transaction whose outcome is unknown

  /// Finds out whether the transaction in doubt was committed: it was, if its token was found in the database. Its
  /// number proves nothing, since another process may have taken this number.
  ///
  /// - Parameter isAlone: whether this process has the turn of the group, so that the transaction is not in progress.
  private func settleDoubt(_ tail: RecordTail, isAlone: Bool) {
    guard let doubt else { return }
    let isFound = tail.found[doubt.token] != nil
    // The database keeps the list of commits only from `horizon` on. If the commit was done with the next number, its
    // entry was removed from the list, so its token can't be found any more.
    let isTooOld =
      doubt.since.incarnation == tail.head.incarnation && doubt.since.number + 1 < tail.head.horizon
      && !isFound
    guard isFound || isTooOld || isAlone else { return }
    self.doubt = nil
    change { shared in
      // A transaction that is in progress ends the phase itself.
      if !isAlone { shared.phase = .idle }
      guard isFound || isTooOld else { return }
      // The rows that were read have it.
      for (key, shadow) in doubt.shadows { shared.parts[key]?.handOver(shadow, at: 0) }
    }
    if isFound || isTooOld {
      for transaction in doubt.transactions { transaction.state = .done }
    }
    if isTooOld {
      report(
        .archiveWarning,
        "it can't be found out any more whether a commit of the shared group \(name) was done: it counts as done"
      )
    }
  }
}
