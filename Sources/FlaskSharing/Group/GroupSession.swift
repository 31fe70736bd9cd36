internal import FlaskEntities
internal import FlaskPrimitives
internal import Foundation

/// What a process knows of a shared group, and what follows from that. It talks to no store and starts no thread.
///
/// A worker calls one function after another; operations of a flux call `install(in:)` and `noteInstalled()`.
///
/// ```text
/// pin      memory of all parts, at one moment. No arrival is installed from here on.
/// decide   in the transaction: takes over what others have written, and merges what is pending into it
/// settle   the outcome is known: what was pinned is the shadow, what was written is the truth
/// ```
final class GroupSession: @unchecked Sendable {
  // `@unchecked Sendable`:
  // - Isolation: `shared` is guarded by its lock; all other variables belong to the worker of the group.
  // - If violated: a data race.

  /// What a save does with a group, from its first step to the outcome of its transaction.
  enum Phase: Sendable {
    case idle
    /// Memory was pinned, and the outcome is not known.
    case saving
  }

  struct Shared {
    var phase = Phase.idle
    var parts: [String: PartVersions] = [:]
    var members: [String: SharedPart] = [:]
    var position: RecordPosition?
    /// The version of the group.
    var version = 0
  }

  let name: String
  let coding: RowCoding
  let isReadOnly: Bool
  let shared = Lock(Shared())

  /// The commit up to which the truth was read; `nil` before the first reading. Any thread may read it.
  var position: RecordPosition? {
    get { shared.withLock { $0.position } }
    set { shared.withLock { $0.position = newValue } }
  }
  /// A transaction whose outcome is unknown.
  var doubt: Doubt?
  var tables: [String: [[EntitiesCollector.Step]: RowTable]] = [:]
  let report: @Sendable (FlaskFault.Kind, String) -> Void

  struct Doubt {
    let token: String
    /// The greatest number before it.
    let since: Int
    /// The shadows of the parts once it is done.
    let shadows: [String: StateOutline]
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

  /// Whether a save is between its pinning and its outcome.
  var isSaving: Bool { shared.withLock { if case .saving = $0.phase { true } else { false } } }

  // MARK: Members

  /// Adds a part.
  ///
  /// - Returns: `false` if the group has a part with this key.
  func join(_ part: SharedPart) -> Bool {
    shared.withLock { shared in
      if shared.members[part.key] != nil { return false }
      shared.members[part.key] = part
      shared.parts[part.key] = PartVersions(part.initial)
      return true
    }
  }

  /// Removes a part. What is pending of it is not saved any more.
  func leave(_ part: SharedPart) {
    tables[part.key] = nil
    shared.withLockReleasing { shared in
      guard shared.members[part.key] === part else { return nil as (SharedPart?, PartVersions?)? }
      return (shared.members.removeValue(forKey: part.key), shared.parts.removeValue(forKey: part.key))
    }
  }

  /// Whether the substance of a part is gone.
  func isReleased(_ key: String) -> Bool {
    shared.withLock { $0.members[key] }.map { $0.substance() == nil } ?? true
  }

  func part(of cell: Cell) -> SharedPart? { shared.withLock { $0.members.values.first { $0.cell === cell } } }

  /// The fluxes of the members, each once.
  var fluxes: [Flux] {
    var fluxes: [Flux] = []
    for part in shared.withLock({ Array($0.members.values) })
    where !fluxes.contains(where: { $0 === part.cell.flux }) {
      fluxes.append(part.cell.flux)
    }
    return fluxes
  }

  /// Why this process can't write the group; `nil` if it can.
  var refusal: SharingError? {
    if isReadOnly { return nil }
    return shared.withLock { shared in
      if shared.version > coding.version {
        return .newerVersion(found: shared.version, known: coding.version)
      }
      for (key, versions) in shared.parts {
        if case .unreadable(let error) = versions.presence { return .unreadable(part: key, error) }
      }
      return nil
    }
  }

  /// The parts, by key, and those that have not been read yet.
  var members: (all: [String: SharedPart], unread: Set<String>) {
    shared.withLock { shared in
      let unread = shared.parts.filter { if case .unknown = $0.value.presence { true } else { false } }
      return (shared.members, Set(unread.keys))
    }
  }

  // MARK: Reading

  /// What to read to know all that others have written.
  func query(keys: [RecordKey] = []) -> RecordQuery {
    let (all, unread) = members
    return RecordQuery(
      group: name,
      since: position,
      parts: Set(all.keys).subtracting(unread),
      newParts: unread,
      keys: keys,
      tokens: doubt.map { [$0.token] } ?? []
    )
  }

  /// Takes over what was read.
  ///
  /// - Parameter isAlone: whether this process has the turn of the group.
  func absorb(_ tail: RecordTail, _ query: RecordQuery, isAlone: Bool) {
    let isRestored = tail.scope == .everything(isRestored: true)
    var rows: [String: [Record]] = [:]
    for row in tail.rows { rows[row.key.part, default: []].append(row) }
    var gone: [String: [RecordKey]] = [:]
    let present = Set(tail.rows.map(\.key))
    for key in tail.touched where !present.contains(key) { gone[key.part, default: []].append(key) }
    let touched = tail.touched
    for (key, part) in members.all where query.parts.contains(key) || query.newParts.contains(key) {
      var isWhole = query.newParts.contains(key)
      if case .everything = tail.scope { isWhole = true }
      // Rows that were requested, and that nobody has touched, are known.
      let own = (rows[key] ?? []).filter { isWhole || touched.contains($0.key) }
      if isWhole || !own.isEmpty || gone[key] != nil {
        absorb(own, gone[key] ?? [], isWhole: isWhole, as: part)
      }
    }
    shared.withLock { $0.version = tail.head.version }
    position = tail.head.position
    if isRestored {
      report(
        .archiveWarning,
        "the shared group \(name) is not what it was: a backup of its database was restored, or a standby was promoted; "
          + "what it has now is used, with what was not yet saved here"
      )
    }
    settleDoubt(tail, isAlone: isAlone)
  }

  private func absorb(_ rows: [Record], _ gone: [RecordKey], isWhole: Bool, as part: SharedPart) {
    var tables = self.tables[part.key] ?? [:]
    if tables.isEmpty {
      for (path, content) in part.initial.contents {
        tables[path] = RowTables.make(part.key, path, like: content)
      }
    }
    let rest = rows.first { $0.key.isRest }
    let isGone = rest == nil && (isWhole || gone.contains { $0.isRest })
    var presence: PartVersions.Presence?
    var text: Data?
    if let rest {
      do throws(ArchiveError) {
        text = try part.normal(coding.migrated(rest), coding)
        presence = .present
      } catch {
        presence = .unreadable(error)
        report(.archiveUnreadable, "the part \(part.key) of the shared group \(name) can't be read: \(error)")
      }
    }
    var byPath: [String: [Record]] = [:]
    for row in rows where !row.key.isRest { byPath[row.key.path, default: []].append(row) }
    var errors: [ArchiveError] = []
    for table in tables.values {
      let removed = gone.filter { $0.path == table.path && !$0.isRest }.map(\.id)
      let own = isGone ? [] : byPath[table.path] ?? []
      if isGone || isWhole || !own.isEmpty || !removed.isEmpty {
        errors += table.apply(own, removed: removed, isWhole: isWhole || isGone, coding)
      }
    }
    self.tables[part.key] = tables
    if let error = errors.first {
      report(
        .archiveUnreadable,
        "\(errors.count) rows of the part \(part.key) of the shared group \(name) can't be read, and stay as they are: \(error)"
      )
    }
    shared.withLockReleasing { shared in
      guard var versions = shared.parts[part.key] else { return nil as PartVersions? }
      let old = versions
      if isGone {
        versions.presence = .absent
        versions.truth = part.initial
      } else {
        if let presence { versions.presence = presence }
        var contents = versions.truth.contents
        for (path, table) in tables { contents[path] = table.content }
        versions.truth = StateOutline(text: text ?? versions.truth.text, contents: contents)
      }
      shared.parts[part.key] = versions
      return old
    }
  }

  // MARK: A transaction whose outcome is unknown

  /// Decides about the transaction in doubt by what was read: whether its token was found, never by its number.
  ///
  /// - Parameter isAlone: whether this process has the turn of the group, so that the transaction is not in progress.
  private func settleDoubt(_ tail: RecordTail, isAlone: Bool) {
    guard let doubt else { return }
    let isFound = tail.found[doubt.token] != nil
    // The list of commits goes no further back.
    let isTooOld = doubt.since < tail.head.horizon
    if isFound || isTooOld {
      // What was read has it.
      for (key, shadow) in doubt.shadows { hand(key, shadow) }
      if !isFound {
        report(
          .archiveWarning,
          "it can't be found out any more whether a commit of the shared group \(name) was done: it counts as done"
        )
      }
    }
    if isFound || isTooOld || isAlone { self.doubt = nil }
  }

  func hand(_ key: String, _ shadow: StateOutline) {
    shared.withLockReleasing { shared in
      let old = shared.parts[key]
      shared.parts[key]?.handOver(shadow)
      return old
    }
  }
}
