internal import FlaskPrimitives
public import FlaskSharing
internal import Foundation

/// A database of shared groups in memory, for tests: what several processes share, without a file or a server.
///
/// ```swift
/// let database = SimulatedDatabase()
/// let here = SharedGroup("books", in: database.connect())
/// let there = SharedGroup("books", in: database.connect())
/// ```
/// Each connection may be slow, fail, lose answers and hints: see ``SimulatedStore``. The clock is set by hand. A
/// snapshot can be restored as a backup is. Any thread may use it.
public final class SimulatedDatabase: Sendable {
  /// The whole content, as a backup has it.
  public struct Snapshot: Sendable {
    fileprivate var groups: [String: Content] = [:]
    fileprivate var leases: [String: Lease] = [:]
  }

  fileprivate struct Lease: Sendable {
    var fence: Fence
    /// The time at which it is over.
    var until: Duration
  }

  struct Commit: Sendable {
    let number: Int
    let token: String
    let touched: [RecordKey]?
    let at: Int
  }

  struct Content: Sendable {
    var incarnation: String
    var version = 0
    var horizon = 0
    var commits: [Commit] = []
    var rows: [RecordKey: SharedRecord] = [:]

    var position: RecordPosition {
      let last = commits.last
      return RecordPosition(incarnation: incarnation, number: last?.number ?? 0, token: last?.token ?? "")
    }
  }

  private struct State {
    var snapshot = Snapshot()
    var hours = 0
    var incarnations = 0
    var observers: [ObjectIdentifier: (group: String, hint: @Sendable () -> Void)] = [:]
  }

  /// The number of hours for which commits are listed.
  static let retention = 24

  private let state = Lock(State())
  private let start = ContinuousClock.now
  private let turns = Lock<[String: DispatchSemaphore]>([:])

  /// An empty database.
  public init() {}

  /// A connection, of one process.
  public func connect() -> SimulatedStore { SimulatedStore(self) }

  /// The number of hours on the clock. It may also be set back.
  public var hours: Int {
    get { state.withLock { $0.hours } }
    set { state.withLock { $0.hours = newValue } }
  }

  /// The whole content. Setting it is the restoring of a backup.
  public var snapshot: Snapshot {
    get { state.withLock { $0.snapshot } }
    set { state.withLock { $0.snapshot = newValue } }
  }

  /// The number of the last commit of a group.
  public func commitCount(of group: String) -> Int { content(of: group).position.number }

  /// The rows of a group, sorted by part, path, order and identity.
  public func rows(of group: String) -> [SharedRecord] {
    content(of: group).rows.values.sorted { a, b in
      [a.key.part, a.key.path, a.order, a.key.id].lexicographicallyPrecedes([
        b.key.part, b.key.path, b.order, b.key.id,
      ])
    }
  }

  // MARK: For stores

  func content(of group: String) -> Content {
    state.withLock { state in
      if let found = state.snapshot.groups[group] { return found }
      state.incarnations += 1
      let new = Content(incarnation: "\(state.incarnations)")
      state.snapshot.groups[group] = new
      return new
    }
  }

  func turn(of group: String) -> DispatchSemaphore {
    turns.withLock { turns in
      if let found = turns[group] { return found }
      let new = DispatchSemaphore(value: 1)
      turns[group] = new
      return new
    }
  }

  /// Writes a transaction. The caller has the turn.
  ///
  /// - Returns: `nil` if the leases have other holders now.
  func write(
    _ writes: RecordWrites,
    to group: String,
    ifStill leases: [String: Fence],
    of names: [String]
  ) -> RecordPosition? {
    state.withLock { state in
      let present = state.snapshot.leases.filter { names.contains($0.key) }.mapValues(\.fence)
      if present != leases { return nil }
      var content = state.snapshot.groups[group] ?? Content(incarnation: "0")
      for commit in writes.commits {
        let number = content.position.number + 1
        content.commits.append(
          Commit(number: number, token: commit.token, touched: commit.touched, at: state.hours)
        )
      }
      for key in writes.removed { content.rows[key] = nil }
      for row in writes.rows { content.rows[row.key] = row }
      for (key, order) in writes.orders { content.rows[key]?.order = order }
      content.version = max(content.version, writes.version)
      while content.commits.count > 1, content.commits[0].at < state.hours - Self.retention {
        content.commits.removeFirst()
        content.horizon = content.commits[0].number
      }
      state.snapshot.groups[group] = content
      return content.position
    }
  }

  func lease(_ name: String, holder: String, for duration: Duration) -> Fence? {
    state.withLock { state in
      let now = .seconds(state.hours * 3600) + (ContinuousClock.now - start)
      let old = state.snapshot.leases[name]
      var isMine = false
      if let old { isMine = old.fence.holder == holder }
      if duration == .zero {
        if isMine, let old {
          let free = Fence(name: name, number: old.fence.number, holder: "")
          state.snapshot.leases[name] = Lease(fence: free, until: .zero)
        }
        return nil
      }
      if let old, !isMine, old.until > now { return nil }
      let number = (old?.fence.number ?? 0) + (isMine ? 0 : 1)
      let fence = Fence(name: name, number: number, holder: holder)
      state.snapshot.leases[name] = Lease(fence: fence, until: now + duration)
      return fence
    }
  }

  func leases(_ names: [String]) -> [String: Fence] {
    state.withLock { state in
      state.snapshot.leases.filter { names.contains($0.key) }.mapValues(\.fence)
    }
  }

  func hint(_ group: String) {
    let hints = state.withLock { $0.observers.values.filter { $0.group == group }.map(\.hint) }
    for hint in hints { hint() }
  }

  func add(_ observation: SimulatedObservation, _ group: String, _ hint: @escaping @Sendable () -> Void) {
    state.withLock { $0.observers[ObjectIdentifier(observation)] = (group, hint) }
  }

  func remove(_ observation: ObjectIdentifier) {
    state.withLockReleasing { $0.observers.removeValue(forKey: observation) }
  }
}

final class SimulatedObservation: Sendable {
  private let database: SimulatedDatabase

  init(_ database: SimulatedDatabase) { self.database = database }

  deinit { database.remove(ObjectIdentifier(self)) }
}
