/// The rule that decides when a state is written: a delay after its last change. Under steady change it is written at
/// the latest a fixed time (the cap) after the first change.
///
/// The schedule gets events with their times, and returns what the caller must do. It performs nothing itself.
struct ArchiveSchedule: Sendable {
  /// The decision when a timer has fired.
  enum Wake: Equatable {
    /// Write now.
    case write
    /// Set a timer for this time.
    case sleep(until: Duration)
    /// Set no timer: the timer was stale, or no changes are left to write.
    case rest
  }

  /// The result of a write.
  enum Outcome {
    /// The state is in the archive.
    case saved
    /// The state was not written. Another attempt may succeed.
    case failed
    /// The state was not written. Another attempt cannot succeed before the state changes.
    case abandoned
  }

  private let delay: Duration
  private let cap: Duration

  /// The time of the first change that is neither in the archive nor in a write in progress.
  private var firstChange: Duration?

  /// The time of the last change.
  private(set) var lastChange: Duration?

  /// The time of the first change that the write in progress contains.
  private var changeInFlight: Duration?

  /// The time of the valid timer. Timers set earlier for another time are stale.
  private var alarm: Duration?

  /// The earliest time of the next attempt after a failure.
  private var earliest: Duration?

  /// Makes a schedule with nothing to write.
  ///
  /// - Parameters:
  ///   - delay: how long after the last change a write begins. A negative delay counts as 0, and one of more than a
  ///     year as a year.
  ///   - cap: how long after the first change a write begins at the latest; at least the delay.
  init(delay: Duration, cap: Duration) {
    self.delay = min(max(.zero, delay), .archiveDelayLimit)
    self.cap = max(self.delay, min(cap, .archiveDelayLimit))
  }

  /// Whether something has changed that is in no archive yet.
  var isPending: Bool { firstChange != nil || changeInFlight != nil }

  /// Whether something has changed that no write in progress contains.
  var isWaiting: Bool { firstChange != nil }

  /// Records that the state has changed.
  ///
  /// - Returns: the time to set a timer for; `nil` if a timer with an early enough time is set.
  mutating func changed(at time: Duration) -> Duration? {
    // The later time counts: of two threads that have read the clock, the thread with the later time may arrive here
    // first.
    let now = max(time, lastChange ?? time)
    firstChange = firstChange ?? now
    lastChange = now
    return setAlarm()
  }

  /// Handles the firing of the timer that was set for `instant`, and returns what to do.
  mutating func wokeUp(from instant: Duration, at now: Duration) -> Wake {
    guard alarm == instant else { return .rest }
    alarm = nil
    guard let due else { return .rest }
    if due <= now { return .write }
    alarm = due
    return .sleep(until: due)
  }

  /// Records that a write begins. The write contains all changes made before.
  mutating func beginWriting() {
    changeInFlight = firstChange
    firstChange = nil
    earliest = nil
  }

  /// Records that the write has ended.
  ///
  /// - Returns: the time to set a timer for. It is `nil` if no timer is needed, or if a timer with an early enough time
  ///   is set.
  mutating func endWriting(_ outcome: Outcome, at now: Duration) -> Duration? {
    let change = changeInFlight
    changeInFlight = nil
    guard case .failed = outcome else { return nil }
    firstChange = change ?? firstChange ?? now
    lastChange = lastChange ?? now
    earliest = now + cap
    return setAlarm()
  }

  /// Forgets the changes that have not been saved.
  mutating func drop() {
    firstChange = nil
  }

  private var due: Duration? {
    guard let firstChange, let lastChange else { return nil }
    return max(min(lastChange + delay, firstChange + cap), earliest ?? .zero)
  }

  private mutating func setAlarm() -> Duration? {
    guard let due, alarm.map({ due < $0 }) ?? true else { return nil }
    alarm = due
    return due
  }
}

extension Duration {
  /// The default time between the last change of a state and its save.
  package static let archiveDelay: Duration = .seconds(2)

  /// The longest time between the first unsaved change of a state and its save.
  package static let archiveCap: Duration = .seconds(10)

  /// The longest delay: a year. One near the largest `Duration` could not be added to the time of a change.
  fileprivate static let archiveDelayLimit: Duration = .seconds(31_536_000)

  /// Converts the delay that `archiveDelay()` returns in seconds: a negative delay becomes 0, a delay over a year
  /// becomes a year, and NaN becomes the default delay.
  static func archiveDelay(seconds: Double) -> Duration {
    seconds.isNaN ? .archiveDelay : .seconds(min(max(0, seconds), 31_536_000))
  }
}
