internal import FlaskPrimitives

/// A clock that is paused until a test advances it.
///
/// ```swift
/// let clock = TestClock()
/// let poller = Poller(clock: clock)
/// clock.advance(by: .seconds(60))
/// ```
/// The clock of a `TestFlux` replaces the system's clock in effects, locks and archives of its flux. It can also be
/// passed to the app's own code. Tasks that sleep until the same instant are woken in the order in which they fell
/// asleep. Any thread may use it.
public final class TestClock: Clock, Sendable {
  /// A time on a test's clock, measured from the creation of the clock.
  public struct Instant: InstantProtocol, CustomStringConvertible {
    /// The time since the clock was made.
    public let offset: Duration

    /// An instant at the given distance from the creation of the clock.
    public init(offset: Duration) { self.offset = offset }

    /// The time that is later by `duration`.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    /// How much later `other` is.
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    /// Whether an instant is earlier than another one.
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    /// The offset.
    public var description: String { "\(offset)" }
  }

  /// An event at an instant.
  private enum Alarm: Sendable {
    case task(CheckedContinuation<Void, any Error>, tag: Int?)
    case call(@Sendable () -> Void)

    func go() {
      switch self {
      case .task(let continuation, _): continuation.resume()
      case .call(let body): body()
      }
    }

    var isTask: Bool { if case .task = self { true } else { false } }
  }

  private struct Waiter: Sendable {
    let number: Int
    let count: Int
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var now = Instant(offset: .zero)
    var alarms: [Int: (instant: Instant, alarm: Alarm)] = [:]
    var last = 0
    /// The tasks that were cancelled before they began to sleep.
    var cancelled: Set<Int> = []
    var waiters: [Waiter] = []
    var isOver = false

    var sleepers: Int { alarms.values.count { $0.alarm.isTask } }

    mutating func takeSatisfied() -> [Waiter] {
      let count = isOver ? .max : sleepers
      let satisfied = waiters.filter { $0.count <= count }
      waiters.removeAll { $0.count <= count }
      return satisfied
    }
  }

  /// The functions of a test flux that its clock calls. `settle` runs the tasks that are ready. It is called before the
  /// clock advances, and after each instant.
  struct Hooks: Sendable {
    var settle: @Sendable () -> Void = {}
    /// Returns the number of the effect to which the task that begins to sleep belongs; `nil` if it belongs to none.
    var tag: @Sendable () -> Int? = { nil }
  }

  private let state = Lock(State())
  private let hooks = Lock(Hooks())

  /// A clock that stands at zero.
  public init() {}

  init(hooks: Hooks) { self.hooks.withLock { $0 = hooks } }

  func set(_ hooks: Hooks) { self.hooks.withLock { $0 = hooks } }

  /// Where the clock stands.
  public var now: Instant { state.withLock { $0.now } }

  /// Zero: every duration counts.
  public var minimumResolution: Duration { .zero }

  /// How many tasks sleep.
  public var sleeperCount: Int { state.withLock { $0.sleepers } }

  /// Suspends until the clock has been moved to `deadline` or beyond.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    let tag = hooks.withLock { $0 }.tag()
    let number = state.withLock { state in
      state.last += 1
      return state.last
    }
    // A task may be cancelled after it has woken up. Its number is then left in `cancelled`, and is removed here.
    defer { state.withLock { _ = $0.cancelled.remove(number) } }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (outcome, waiters) = state.withLock { state -> (Result<Void, any Error>?, [Waiter]) in
          if state.isOver || state.cancelled.remove(number) != nil {
            return (.failure(CancellationError()), [])
          }
          if deadline <= state.now { return (.success(()), []) }
          state.alarms[number] = (deadline, .task(continuation, tag: tag))
          return (nil, state.takeSatisfied())
        }
        if let outcome { continuation.resume(with: outcome) }
        for waiter in waiters { waiter.continuation.resume() }
      }
    } onCancel: {
      cancel(number)
    }
  }

  /// Suspends until at least the given number of tasks sleep. It is meant for code that begins to sleep on threads of
  /// its own. It also returns when the waiting task is cancelled, and when the test of the clock has ended.
  public func sleepers(_ count: Int) async {
    let number = state.withLock { state in
      state.last += 1
      return state.last
    }
    defer { state.withLock { _ = $0.cancelled.remove(number) } }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isThere = state.withLock { state in
          if state.isOver || state.sleepers >= count || state.cancelled.remove(number) != nil { return true }
          state.waiters.append(Waiter(number: number, count: count, continuation: continuation))
          return false
        }
        if isThere { continuation.resume() }
      }
    } onCancel: {
      let waiter = state.withLock { state -> Waiter? in
        guard let place = state.waiters.firstIndex(where: { $0.number == number }) else {
          state.cancelled.insert(number)
          return nil
        }
        return state.waiters.remove(at: place)
      }
      waiter?.continuation.resume()
    }
  }

  /// Advances the clock, and wakes the tasks whose sleep ends by then. When a task is woken, the clock shows the
  /// instant until which this task slept. Returns at once, unless this is the clock of a test flux. In a test flux the
  /// function returns when the effects have run until all of them wait.
  public func advance(by duration: Duration) { advance(to: now.advanced(by: duration)) }

  /// Moves the clock to an instant. An instant in the past changes nothing.
  public func advance(to instant: Instant) {
    let settle = hooks.withLock { $0 }.settle
    settle()
    while true {
      let due = takeDue(until: instant)
      if due.isEmpty { break }
      for alarm in due { alarm.go() }
      settle()
    }
    state.withLock { $0.now = max($0.now, instant) }
  }

  /// Advances the clock to the next instant until which a task sleeps.
  ///
  /// - Returns: the alarms of this instant, oldest first.
  private func takeDue(until end: Instant) -> [Alarm] {
    state.withLock { state in
      guard let next = state.alarms.values.map(\.instant).min(), next <= end else { return [] }
      state.now = max(state.now, next)
      let due = state.alarms.filter { $0.value.instant <= state.now }.sorted { $0.key < $1.key }
      for (number, _) in due { state.alarms[number] = nil }
      return due.map(\.value.alarm)
    }
  }

  /// Calls `body` when the clock has been moved to `instant`.
  func call(at instant: Instant, _ body: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.last += 1
      if !state.isOver { state.alarms[state.last] = (instant, .call(body)) }
    }
  }

  /// The tags of the sleeping tasks.
  var sleepingTags: [Int] {
    state.withLock { state in
      state.alarms.values.compactMap { if case .task(_, let tag) = $0.alarm { tag } else { nil } }
    }
  }

  /// Wakes all sleeping tasks with a `CancellationError`, and those that wait for sleepers. From now on, a task that
  /// begins to sleep is woken at once.
  func end() {
    let (alarms, waiters) = state.withLock { state in
      state.isOver = true
      defer { state.alarms = [:] }
      return (state.alarms, state.takeSatisfied())
    }
    for waiter in waiters { waiter.continuation.resume() }
    for (_, alarm) in alarms.sorted(by: { $0.key < $1.key }) {
      if case .task(let continuation, _) = alarm.alarm { continuation.resume(throwing: CancellationError()) }
    }
  }

  private func cancel(_ number: Int) {
    let alarm = state.withLock { state in
      let alarm = state.alarms.removeValue(forKey: number)?.alarm
      if alarm == nil { state.cancelled.insert(number) }
      return alarm
    }
    if case .task(let continuation, _) = alarm { continuation.resume(throwing: CancellationError()) }
  }
}

/// The clock of a test in the form that archives use.
struct TestArchiveScheduler: ArchiveScheduler {
  let clock: TestClock

  var now: Duration { clock.now.offset }

  func wake(at instant: Duration, _ body: @escaping @Sendable () -> Void) {
    clock.call(at: TestClock.Instant(offset: instant), body)
  }
}
