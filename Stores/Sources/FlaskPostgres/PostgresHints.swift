internal import CPostgres
internal import FlaskSharing
internal import Foundation

/// The connection that listens, with a thread of its own: it hears of commits, and announces those of this process.
final class PostgresHints: @unchecked Sendable {
  // `@unchecked Sendable`:
  // - Isolation: all variables are guarded by `lock`; the connection belongs to the thread.
  // - If violated: a data race.

  private struct State {
    var observers: [ObjectIdentifier: (group: String, hint: @Sendable () -> Void)] = [:]
    /// The groups whose commits are to be announced.
    var groups: Set<String> = []
    var delivery = PostgresStore.Delivery.polling(reason: "nothing was observed yet")
    var isStarted = false
    var isEnded = false
  }

  /// The seconds between two announcements. A `NOTIFY` takes a lock of the whole database.
  private static let interval = 0.005

  private let settings: PostgresSettings
  private let didConnect: @Sendable () -> Void
  private let lock = NSLock()
  private var state = State()
  /// What is written to the second end wakes the thread.
  private let pipe: (Int32, Int32)

  /// - Parameter didConnect: is called after each connection was made.
  init(_ settings: PostgresSettings, didConnect: @escaping @Sendable () -> Void) throws {
    self.settings = settings
    self.didConnect = didConnect
    var ends: [Int32] = [-1, -1]
    guard Foundation.pipe(&ends) == 0 else { throw RecordStoreError.unavailable("a pipe can't be made") }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    pipe = (ends[0], ends[1])
  }

  deinit {
    close(pipe.0)
    close(pipe.1)
  }

  var delivery: PostgresStore.Delivery { lock.withLock { state.delivery } }

  // MARK: Requests

  func observe(_ group: String, _ hint: @escaping @Sendable () -> Void) -> any AnyObject & Sendable {
    let observation = Observation(self)
    lock.withLock { state.observers[ObjectIdentifier(observation)] = (group, hint) }
    start()
    return observation
  }

  /// Announces a commit.
  func send(_ group: String) {
    let isNew = lock.withLock { state.groups.insert(group).inserted }
    if isNew { start() }
  }

  /// Ends the thread.
  func end() {
    lock.withLock { state.isEnded = true }
    wake()
  }

  private func start() {
    let mustStart = lock.withLock {
      defer { state.isStarted = true }
      return !state.isStarted && !state.isEnded
    }
    guard mustStart else { return wake() }
    let thread = Thread { [self] in run() }
    thread.name = "FlaskPostgres.hints"
    thread.start()
  }

  private func wake() {
    var byte: UInt8 = 1
    _ = write(pipe.1, &byte, 1)
  }

  private func remove(_ observation: ObjectIdentifier) {
    let removed = lock.withLock { state.observers.removeValue(forKey: observation) }
    withExtendedLifetime(removed) {}
  }

  private final class Observation: Sendable {
    private let hints: PostgresHints

    init(_ hints: PostgresHints) { self.hints = hints }

    deinit { hints.remove(ObjectIdentifier(self)) }
  }

  // MARK: The thread

  private var isEnded: Bool { lock.withLock { state.isEnded } }
  private var now: Double { ProcessInfo.processInfo.systemUptime }

  private func run() {
    var backoff = PostgresBackoff()
    while !isEnded {
      do {
        let connection = try PostgresConnection(settings)
        let reason = "a pooler is between this process and the server, which keeps no connection that listens"
        if connection.isPooled {
          note(.polling(reason: reason))
        } else {
          try connection.perform([PostgresCall(text: PostgresStatements.listen)])
        }
        didConnect()
        let start = now
        defer { if now > start + 5 { backoff.didSucceed() } }
        // What was announced while nothing listened was lost.
        tell { _ in true }
        if !connection.isPooled { note(.hints) }
        try serve(connection)
      } catch {
        let error = RecordStoreError(connecting: error)
        note(.polling(reason: "\(error)"))
        pause(backoff.didFail(error, at: now))
      }
    }
  }

  private func note(_ delivery: PostgresStore.Delivery) { lock.withLock { state.delivery = delivery } }

  private func pause(_ seconds: Double) {
    let end = now + seconds
    while !isEnded, now < end { wait(for: [], end - now) }
  }

  /// Waits until a descriptor can be read, until it is woken, or for some seconds.
  private func wait(for descriptors: [Int32], _ seconds: Double) {
    var all = ([pipe.0] + descriptors).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    _ = poll(&all, nfds_t(all.count), Int32(min(seconds, 3600) * 1000) + 1)
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(pipe.0, &bytes, bytes.count) > 0 {}
  }

  /// Listens and announces, until the connection is lost or the thread ends.
  private func serve(_ connection: PostgresConnection) throws {
    /// When the next announcement may be made.
    var next = 0.0
    while !isEnded {
      if now >= next, let delay = try announce(connection) { next = now + delay }
      try hear(connection)
      let isWanted = lock.withLock { !state.groups.isEmpty }
      wait(for: [connection.socket], isWanted ? max(0, next - now) : 3600)
    }
    // The last commits of a process that ends at once.
    _ = try announce(connection)
  }

  /// - Returns: the seconds until the next announcement; `nil` if there was nothing to announce.
  private func announce(_ connection: PostgresConnection) throws -> Double? {
    let groups = lock.withLock {
      defer { state.groups = [] }
      return state.groups
    }
    if groups.isEmpty { return nil }
    do {
      try connection.perform([
        PostgresCall(text: PostgresStatements.begin), PostgresCall(text: PostgresStatements.weakly),
        PostgresCall(text: PostgresStatements.notify, values: [.texts(Array(groups))]),
        PostgresCall(text: PostgresStatements.commit),
      ])
      return Self.interval
    } catch let failure as PostgresFailure {
      lock.withLock { state.groups.formUnion(groups) }
      guard connection.isUsable else { throw failure }
      // The lock of all announcements is taken, or their queue is full. Groups ask each second in any case.
      try connection.perform([PostgresCall(text: PostgresStatements.rollback)])
      return 1
    }
  }

  private func hear(_ connection: PostgresConnection) throws {
    let notices = try connection.notifications()
    if notices.isEmpty { return }
    let others = Set(notices.filter { !$0.isOwn }.map(\.text))
    let own = Set(notices.filter(\.isOwn).map(\.text)).subtracting(others)
    tell { group in
      // Groups of one store that are the same group hear of each other, too.
      others.contains(group) || own.contains(group) && isShared(group)
    }
  }

  private func isShared(_ group: String) -> Bool {
    lock.withLock { state.observers.values.count { $0.group == group } > 1 }
  }

  private func tell(_ isMeant: (String) -> Bool) {
    let hints = lock.withLock { Array(state.observers.values) }
    for (group, hint) in hints where isMeant(group) { hint() }
  }
}
