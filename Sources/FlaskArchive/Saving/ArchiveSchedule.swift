/// Decides when a state is written: some time after its last change, and under steady change within a cap.
///
/// It gets events with their times, and returns what to do; it does nothing itself.
struct ArchiveSchedule: Sendable {
  /// The decision when a timer has fired.
  enum Wake: Equatable {
    /// Write now.
    case write
    /// Wake up again at that time.
    case sleep(until: Duration)
    /// Nothing: the changes have been written, or dropped.
    case rest
  }

  /// The result of a write.
  enum Outcome {
    /// The state is in the archive.
    case saved
    /// It is not, and may be another time.
    case failed
    /// It is not, and will not be before it changes.
    case abandoned
  }

  private let delay: Duration
  private let cap: Duration

  /// The first change that is in no archive and in no write under way.
  private var firstChange: Duration?

  /// The last change of all.
  private(set) var lastChange: Duration?

  /// The first change that the write under way writes.
  private var changeInFlight: Duration?

  /// When the timer that counts will wake up; others that were set before it are stale.
  private var alarm: Duration?

  /// After a failure, when to try again at the earliest.
  private var earliest: Duration?

  /// Makes a schedule with nothing to write.
  ///
  /// - Parameters:
  ///   - delay: how long after the last change; a negative one is none.
  ///   - cap: how long after the first change at the latest; never shorter than the delay.
  init(delay: Duration, cap: Duration) {
    self.delay = max(.zero, delay)
    self.cap = max(self.delay, cap)
  }

  /// Whether something has changed that is in no archive yet.
  var isPending: Bool { firstChange != nil || changeInFlight != nil }

  /// The state has changed.
  ///
  /// - Returns: when to set a timer for, or `nil` if one is set that is early enough.
  mutating func changed(at time: Duration) -> Duration? {
    // Of two threads that have read the clock the later one may be the first to come.
    let now = max(time, lastChange ?? time)
    firstChange = firstChange ?? now
    lastChange = now
    return setAlarm()
  }

  /// The timer that was set for `instant` has woken up.
  mutating func wokeUp(from instant: Duration, at now: Duration) -> Wake {
    guard alarm == instant else { return .rest }
    alarm = nil
    guard let due else { return .rest }
    if due <= now { return .write }
    alarm = due
    return .sleep(until: due)
  }

  /// A write begins: it will take the state with all the changes so far.
  mutating func beginWriting() {
    changeInFlight = firstChange
    firstChange = nil
    earliest = nil
  }

  /// The write has ended.
  ///
  /// - Returns: when to set a timer for, or `nil` if none is needed, or one is set that is early enough.
  mutating func endWriting(_ outcome: Outcome, at now: Duration) -> Duration? {
    let change = changeInFlight
    changeInFlight = nil
    guard case .failed = outcome else { return nil }
    firstChange = change ?? firstChange ?? now
    lastChange = lastChange ?? now
    earliest = now + cap
    return setAlarm()
  }

  /// Forgets the changes that are in no archive.
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
  /// The default delay between the last change of a state and its save.
  package static let archiveDelay: Duration = .seconds(2)

  /// How long after its first change a state is archived at the latest.
  package static let archiveCap: Duration = .seconds(10)

  /// A delay in seconds as a client passes it: a negative one is none, a year is the most, and one that is no number is
  /// the usual delay.
  ///
  /// - Parameter seconds: the delay.
  /// - Returns: the delay as a duration.
  package static func archiveDelay(seconds: Double) -> Duration {
    seconds.isNaN ? .archiveDelay : .seconds(min(max(0, seconds), 31_536_000))
  }
}
