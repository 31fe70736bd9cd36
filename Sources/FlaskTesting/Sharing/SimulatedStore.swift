internal import FlaskPrimitives
public import FlaskSharing
internal import Foundation

/// A connection to a ``SimulatedDatabase``, and the store of shared groups in memory.
public final class SimulatedStore: RecordStore {
  /// The steps of a connection, each before it is taken.
  ///
  /// Later versions may add cases: a `switch` over it has an `@unknown default`.
  #if hasAttribute(nonexhaustive)
    @nonexhaustive
  #endif
  public enum Step: Hashable, Sendable {
    /// It reads without a transaction.
    case reading
    /// It waits until no other connection writes to the group (has the *turn*).
    case waiting
    /// It has the turn, and has read. What is to be written is not decided yet.
    case deciding
    /// It is about to commit.
    case committing
    /// It has committed, and has given up the turn. The process does not know yet.
    case committed
  }

  /// A failure at a step.
  ///
  /// Later versions may add cases: a `switch` over it has an `@unknown default`.
  #if hasAttribute(nonexhaustive)
    @nonexhaustive
  #endif
  public enum Failure: Hashable, Sendable {
    /// The database can't be reached: nothing is written. After a commit the same as `cut`.
    case unreachable
    /// The connection is cut, so that the process does not know whether it has been written. Before the commit it has
    /// not.
    case cut
  }

  private struct Script: Sendable {
    var step: (@Sendable (Step) -> Failure?)?
    var latency = Duration.zero
    /// How often a hint comes.
    var hints = 1
  }

  private let database: SimulatedDatabase
  private let script = Lock(Script())

  init(_ database: SimulatedDatabase) { self.database = database }

  /// A name for messages.
  public var location: String { "a simulated database" }

  /// Called before each step, on the thread that takes it; what it returns happens. It may use other connections,
  /// except transactions of the same group while this one has the turn.
  public var onStep: (@Sendable (Step) -> Failure?)? {
    get { script.withLock { $0.step } }
    set { script.withLock { $0.step = newValue } }
  }

  /// How long each read and each commit takes.
  public var latency: Duration {
    get { script.withLock { $0.latency } }
    set { script.withLock { $0.latency = newValue } }
  }

  /// How many hints are sent for each commit: 0 loses them.
  public var hintCount: Int {
    get { script.withLock { $0.hints } }
    set { script.withLock { $0.hints = newValue } }
  }

  private func perform(_ step: Step) throws {
    guard let failure = onStep?(step) else { return }
    switch (failure, step) {
    case (.unreachable, .reading), (.unreachable, .waiting), (.unreachable, .deciding),
      (.unreachable, .committing),
      (.cut, .reading), (.cut, .waiting), (.cut, .deciding):
      throw RecordStoreError.unavailable("it was cut off")
    case (_, .committed), (.cut, .committing):
      throw RecordStoreError.unknownOutcome("the connection was cut")
    }
  }

  private func pause() {
    let latency = latency
    if latency > .zero { Thread.sleep(forTimeInterval: latency / .seconds(1)) }
  }

  /// See `RecordStore`.
  public func read(_ query: RecordQuery) throws -> RecordTail {
    try perform(.reading)
    pause()
    return tail(query, database.content(of: query.group))
  }

  /// See `RecordStore`.
  public func transact(
    _ query: RecordQuery,
    _ decide: (RecordTail, _ fetch: @escaping ([RecordKey]) throws -> [SharedRecord]) throws -> RecordWrites?
  ) throws -> RecordPosition? {
    try perform(.waiting)
    let turn = database.turn(of: query.group)
    turn.wait()
    var isHeld = true
    defer { if isHeld { turn.signal() } }
    let content = database.content(of: query.group)
    try perform(.deciding)
    let tail = tail(query, content)
    let writes = try decide(tail) { keys in keys.compactMap { content.rows[$0] } }
    guard let writes else { return nil }
    try perform(.committing)
    pause()
    guard let position = database.write(writes, to: query.group, ifStill: tail.leases, of: query.leases)
    else {
      throw RecordStoreError.conflict("a lease was taken meanwhile")
    }
    turn.signal()
    isHeld = false
    try perform(.committed)
    for _ in 0..<hintCount { database.hint(query.group) }
    return position
  }

  /// See `RecordStore`.
  public func observe(_ group: String, _ hint: @escaping @Sendable () -> Void) -> any AnyObject & Sendable {
    let observation = SimulatedObservation(database)
    database.add(observation, group, hint)
    return observation
  }

  /// See `RecordStore`.
  public func lease(_ name: String, holder: String, for duration: Duration) throws -> Fence? {
    try perform(.waiting)
    pause()
    let fence = database.lease(name, holder: holder, for: duration)
    try perform(.committed)
    return fence
  }

  private func tail(_ query: RecordQuery, _ content: SimulatedDatabase.Content) -> RecordTail {
    let head = RecordHead(position: content.position, version: content.version, horizon: content.horizon)
    let number = query.since?.number ?? 0
    let then = number == 0 ? "" : content.commits.first { $0.number == number }?.token
    var scope = query.scope(of: head, tokenThen: then)
    var touched: Set<RecordKey> = []
    if case .changes(let after) = scope {
      for commit in content.commits where commit.number > after {
        guard let keys = commit.touched else {
          scope = .everything(isRestored: false)
          break
        }
        touched.formUnion(keys.filter { query.parts.contains($0.part) })
      }
    }
    var keys = touched.union(query.keys)
    for key in content.rows.keys {
      let isAll = query.newParts.contains(key.part) || (query.parts.contains(key.part) && scope.isEverything)
      if isAll { keys.insert(key) }
    }
    if scope.isEverything { touched = [] }
    var found: [String: Int] = [:]
    for commit in content.commits where query.tokens.contains(commit.token) {
      found[commit.token] = commit.number
    }
    return RecordTail(
      head: head,
      scope: scope,
      rows: keys.compactMap { content.rows[$0] },
      touched: touched,
      found: found,
      leases: database.leases(query.leases)
    )
  }
}
