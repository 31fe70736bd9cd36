internal import FlaskPrimitives

/// Runs one closure for each member of a container, as `whilePresent(each:)` requests. One listener of the container
/// serves all members.
///
/// The performer changes the set of members, one commit after the other. Members are found by the hashes of their
/// identities, which are compared without the lock, since that runs client code.
final class WorkSeats<ID: Hashable & Sendable>: LastingWork {
  /// The work of one member.
  private final class Member: Sendable {
    let id: ID
    let hash: Int
    let task: WorkTask

    init(_ id: ID, _ task: WorkTask) {
      self.id = id
      hash = id.hashValue
      self.task = task
    }
  }

  private enum Phase { case opening, open, over }

  private struct State {
    var phase = Phase.opening
    /// The version of the state from which `members` was taken. Commits up to this version are ignored.
    var version = Int.min
    /// By the hash of the identity.
    var members: [Int: [Member]] = [:]
    /// The set of the runs of these members.
    var runs = WorkRunSet()
    var presence: PartPresence?
    var observations: [SubstanceObservation] = []

    mutating func add(_ added: [Member]) {
      for member in added { members[member.hash, default: []].append(member) }
    }

    /// Removes members, whose runs are ended from now on.
    mutating func remove(_ ended: [Member]) {
      for member in ended {
        member.task.markEnded()
        members[member.hash]?.removeAll { $0 === member }
        if members[member.hash]?.isEmpty == true { members[member.hash] = nil }
      }
    }

    mutating func takeAll() -> [Member] {
      let all = members.values.flatMap { $0 }
      remove(all)
      return all
    }
  }

  private let watched: WatchedMembers<ID>
  private let origin: WorkOrigin
  private let body: @Sendable (ID) async throws -> Void
  private let state = Lock(State())

  init(
    _ watched: WatchedMembers<ID>,
    _ origin: WorkOrigin,
    _ body: @escaping @Sendable (ID) async throws -> Void
  ) {
    self.watched = watched
    self.origin = origin
    self.body = body
    begin()
    WorkRun.here?.adopt(self)
  }

  private func begin() {
    let observations = watched.observe { self.didCommit($0) }
    let end = watched.cell.whenGone { self.end() }
    let isOver = state.withLock { state in
      state.observations = observations + [end]
      return state.phase == .over
    }
    if isOver || !watched.cell.subject.isAlive { return self.end() }
    origin.inPresent(of: watched.cell) {
      let present = self.watched.cell.pinPresent()
      defer { present.unpin() }
      self.open(with: UnsafeRawPointer(present.address), version: present.number)
    }
  }

  /// Starts the work of the members of a state, if no other state has done so. Two threads may compete: the one that
  /// registers the work, and the performer of a commit meanwhile.
  ///
  /// - Returns: `false` if another state came first.
  @discardableResult
  private func open(with address: UnsafeRawPointer, version: Int) -> Bool {
    let presence = watched.presence(address)
    let added = made(Array(watched.all(address)))
    let isFirst = state.withLock { state in
      guard state.phase == .opening else { return false }
      state.phase = .open
      state.version = version
      state.presence = presence
      state.add(added)
      return true
    }
    if isFirst { start(added) }
    return isFirst
  }

  var isRunning: Bool {
    state.withLock { $0.members.values.flatMap { $0 } }.contains { $0.task.isRunning }
  }

  func end() {
    let (members, observations) = state.withLock { state in
      state.phase = .over
      defer { state.observations = [] }
      return (state.takeAll(), state.observations)
    }
    for observation in observations { observation.cancel() }
    origin.finish(members.map(\.task))
  }

  // MARK: By the performer

  private func didCommit(_ commit: Commit) {
    // A past state that a time travel shows starts nothing, and ends nothing.
    if watched.cell.isInThePast { return }
    let number = commit.number
    let isOpening = state.withLock { $0.phase == .opening }
    if isOpening, open(with: commit.newAddress, version: number) { return }
    let (phase, version, last) = state.withLock { ($0.phase, $0.version, $0.presence) }
    if phase != .open || number <= version { return }
    let presence = watched.presence(commit.newAddress)
    if watched.isEmpty(commit.newAddress) {
      removeAll(presence, version: number)
    } else if presence == last {
      let changes = watched.changes(commit)
      replace(ended(changes.removed), by: changes.inserted, presence, version: number)
    } else {
      // Another container has taken the place of the last one.
      let all = state.withLock { $0.members.values.flatMap { $0 } }
      replace(all, by: Array(watched.all(commit.newAddress)), presence, version: number)
    }
    withExtendedLifetime(last) {}
  }

  /// Ends the work of all members at once, whatever their number is.
  private func removeAll(_ presence: PartPresence?, version: Int) {
    let (members, runs) = state.withLock { state in
      let left = (state.members, state.runs)
      guard state.phase == .open else { return left }
      state.runs.markEnded()
      state.runs = WorkRunSet()
      state.members = [:]
      state.version = version
      state.presence = presence
      return left
    }
    runs.cleanUp()
    let count = members.count
    if count <= 16 { return members.values.joined().forEach { $0.task.finish() } }
    origin.finishLater { for member in members.values.joined() { member.task.finish() } }
  }

  /// The members with the given identities.
  private func ended(_ ids: [ID]) -> [Member] {
    let hashes = ids.map(\.hashValue)
    let buckets = state.withLock { state in hashes.map { state.members[$0] ?? [] } }
    return zip(ids, buckets).compactMap { id, bucket in bucket.first { $0.id == id } }
  }

  private func replace(_ ended: [Member], by ids: [ID], _ presence: PartPresence?, version: Int) {
    let added = made(ids)
    let isOpen = state.withLock { state in
      guard state.phase == .open else { return false }
      state.version = version
      state.presence = presence
      state.remove(ended)
      state.add(added)
      return true
    }
    if !isOpen { return }
    origin.finish(ended.map(\.task))
    start(added)
  }

  private func made(_ ids: [ID]) -> [Member] {
    let runs = state.withLock { $0.runs }
    return ids.map { Member($0, WorkTask(origin, in: runs)) }
  }

  private func start(_ members: [Member]) {
    for member in members { member.task.start { [body, id = member.id] in try await body(id) } }
  }
}
