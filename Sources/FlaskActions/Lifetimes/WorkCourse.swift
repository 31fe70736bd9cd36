/// Decides when work starts and ends. It gets the values of the work's condition, such as the text of
/// `restarting(on: \.text)`, from one version of the state after another. `nil` stands for no work. It has no threads,
/// no clocks and no side effects, and does not compare values.
///
/// ```text
///           a value                 the pace allows it
///   idle ──────────────► waiting ──────────────────────► on
///     ▲                     │ another value, or none       │
///     └─────────────────────┴──────────────────────────────┘
/// ```
/// A run stays `on` until the value changes, even if its closure has returned before. Tasks that the closure has
/// started may still run, and belong to the run.
struct WorkCourse<Value: Sendable>: Sendable {
  enum Command: Equatable {
    case start(Int)
    case end(Int)
    case startTimer(Int, Duration)
    case cancelTimer(Int)
  }

  private enum Phase {
    case idle
    /// The timer of a debouncing pause runs.
    case paused(timer: Int)
    /// A throttling interval has to end first.
    case throttled
    case on(run: Int)
    case over
  }

  /// The throttling interval in progress.
  private struct Span {
    let timer: Int
    let duration: Duration
  }

  let pace: FluxEffectPace
  /// The value that was seen last; `nil` if there was none.
  private(set) var value: Value?
  /// Incremented with each other value.
  private(set) var serial = 0
  private var version = Int.min
  private var phase = Phase.idle
  private var span: Span?
  private var lastTimer = 0

  init(pace: FluxEffectPace) { self.pace = pace }

  /// Handles the value in a version of the state. A version older than the last one is ignored.
  ///
  /// - Parameters:
  ///   - new: the value in this version.
  ///   - isSame: whether `new` equals `value`. The caller compares them without a lock.
  ///   - number: the `serial` that the compared `value` had.
  /// - Returns: the commands to execute. `nil` if `value` was replaced during the comparison, so that the caller must
  ///   compare again.
  mutating func see(_ new: Value?, isSame: Bool, at number: Int, version: Int) -> [Command]? {
    if case .over = phase { return [] }
    if version < self.version { return [] }
    if number != serial { return nil }
    self.version = version
    if isSame { return [] }
    value = new
    serial += 1
    let ended = leave()
    return new == nil ? ended : ended + enter()
  }

  /// The time of a timer is over.
  mutating func fired(_ timer: Int) -> [Command] {
    if case .paused(timer) = phase { return start() }
    guard let span, span.timer == timer else { return [] }
    self.span = nil
    guard case .throttled = phase else { return [] }
    return beginSpan(span.duration)
  }

  /// Whether a timer is still needed: its debouncing pause or throttling interval is in progress.
  func waits(for timer: Int) -> Bool {
    if case .paused(timer) = phase { return true }
    return span?.timer == timer
  }

  /// Ends the work for good.
  mutating func end() -> [Command] {
    var commands = leave()
    if let span { commands.append(.cancelTimer(span.timer)) }
    span = nil
    phase = .over
    value = nil
    return commands
  }

  private mutating func leave() -> [Command] {
    defer { if !isOver { phase = .idle } }
    switch phase {
    case .on(let run): return [.end(run)]
    case .paused(let timer): return [.cancelTimer(timer)]
    case .idle, .throttled, .over: return []
    }
  }

  var isOver: Bool { if case .over = phase { true } else { false } }

  private mutating func enter() -> [Command] {
    switch pace {
    case .immediate: return start()
    case .debounce(let duration):
      lastTimer += 1
      phase = .paused(timer: lastTimer)
      return [.startTimer(lastTimer, duration)]
    case .throttle(let duration):
      if span == nil { return beginSpan(duration) }
      phase = .throttled
      return []
    }
  }

  private mutating func beginSpan(_ duration: Duration) -> [Command] {
    lastTimer += 1
    span = Span(timer: lastTimer, duration: duration)
    return start() + [.startTimer(lastTimer, duration)]
  }

  /// Each value has one run, so the serial number of the value is the number of the run.
  private mutating func start() -> [Command] {
    phase = .on(run: serial)
    return [.start(serial)]
  }
}
