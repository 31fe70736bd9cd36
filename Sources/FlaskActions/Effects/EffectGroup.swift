/// The effects of one group in one dispatcher. The group decides which effects run and which wait; it does not
/// execute its decisions.
///
/// A run that was cancelled is *stopping* until it has ended. Only effects with the policy `.queue` wait for it, so
/// that two of them never run at the same time.
///
/// Each effect gets a *turn* when its pace allows the start. An effect with the policy `.queue` waits for the effects
/// with earlier turns, and for no others.
struct EffectGroup {
  typealias Entry = EffectTable.Entry
  typealias Decision = EffectTable.Decision

  /// The effect that waits until no other debounced effect has come for some time.
  private struct Pause {
    let timer: Int
    let entry: Entry
  }

  /// The throttling interval in progress, in which no other throttled effect starts.
  private struct Span {
    let timer: Int
    let opener: Entry
    /// The effect that starts when the throttling interval ends.
    var waiting: Entry?
  }

  /// An effect whose pace has allowed the start.
  private struct Turn {
    let number: Int
    let entry: Entry
  }

  private var running: [Int: Turn] = [:]
  private var stopping: [Int: Turn] = [:]
  private var queued = FIFOQueue<Turn>()
  private var lastTurn = 0
  private var pause: Pause?
  private var span: Span?
  /// The last cancellation for each scope of cancellation, such as all effects or those of one worker. The value is the
  /// number of the newest run at that time. Removed when all cancelled runs have ended.
  private var cancellations: [EffectTable.Scope: Int] = [:]
  private(set) var newestRun = 0
  /// The workers that have added effects since the group was last idle.
  private(set) var owners: Set<ObjectIdentifier> = []

  var isIdle: Bool { running.isEmpty && stopping.isEmpty && queued.isEmpty && pause == nil && span == nil }

  /// Adds an effect. `newTimer` is a number that no timer has had before.
  mutating func add(_ entry: Entry, newTimer: Int) -> [Decision] {
    owners.insert(entry.owner)
    newestRun = entry.run
    let cancelled = entry.policy == .latest ? cancelEntries(.all) : []
    switch entry.pace {
    case .immediate: return cancelled + begin(entry)
    case .debounce(let duration):
      let dropped = dropPaused { _ in true }
      pause = Pause(timer: newTimer, entry: entry)
      return cancelled + dropped + [.startTimer(newTimer, run: entry.run, duration)]
    case .throttle(let duration):
      guard span != nil else { return cancelled + beginSpan(entry, duration, timer: newTimer) }
      let replaced = span?.waiting
      span?.waiting = entry
      return cancelled + (replaced.map { [.drop($0.run)] } ?? [])
    }
  }

  /// Drops an effect that comes after its cancellation.
  mutating func drop(_ entry: Entry) -> [Decision] {
    owners.insert(entry.owner)
    return [.drop(entry.run)]
  }

  /// The time of a timer is over.
  mutating func fired(_ timer: Int, newTimer: Int) -> [Decision] {
    if let pause, pause.timer == timer {
      self.pause = nil
      return begin(pause.entry)
    }
    guard let span, span.timer == timer else { return [] }
    self.span = nil
    guard let entry = span.waiting, case .throttle(let duration) = entry.pace else { return [] }
    return beginSpan(entry, duration, timer: newTimer)
  }

  /// A run that was started has ended.
  mutating func ended(_ run: Int) -> [Decision] {
    running[run] = nil
    stopping[run] = nil
    if stopping.isEmpty { cancellations = [:] }
    return beginQueued()
  }

  /// Cancels the running effects of a scope and drops its waiting effects. The throttling interval in progress ends,
  /// unless an effect outside of the scope started it or waits for its end.
  mutating func cancel(_ scope: EffectTable.Scope) -> [Decision] {
    var decisions = cancelEntries(scope)
    if !stopping.isEmpty, !scope.isOfOneRun { cancellations[scope] = newestRun }
    if case .owner(let owner) = scope { owners.remove(owner) }
    if let span, span.waiting == nil, scope.contains(span.opener) {
      self.span = nil
      decisions.append(.cancelTimer(span.timer))
    }
    return decisions + beginQueued()
  }

  /// Whether the run that dispatched this effect's action was cancelled in this group, by a cancellation that also
  /// covers this effect.
  func coversChild(_ entry: Entry) -> Bool {
    guard let number = entry.parent, let parent = stopping[number] else { return false }
    let scopes: [EffectTable.Scope] = [.all, .owner(entry.owner), .middleware(entry.middleware)]
    return scopes.contains { $0.contains(parent.entry) && number <= cancellations[$0, default: 0] }
  }

  private mutating func cancelEntries(_ scope: EffectTable.Scope) -> [Decision] {
    var decisions: [Decision] = []
    for turn in running.values.filter({ scope.contains($0.entry) }).ordered(by: { $0.entry.run }) {
      running[turn.entry.run] = nil
      stopping[turn.entry.run] = turn
      decisions.append(.cancel(turn.entry.run))
    }
    var kept = FIFOQueue<Turn>()
    while let turn = queued.popFirst() {
      if scope.contains(turn.entry) { decisions.append(.drop(turn.entry.run)) } else { kept.append(turn) }
    }
    queued = kept
    decisions += dropPaused(scope.contains)
    if let entry = span?.waiting, scope.contains(entry) {
      span?.waiting = nil
      decisions.append(.drop(entry.run))
    }
    return decisions
  }

  private mutating func dropPaused(_ isMeant: (Entry) -> Bool) -> [Decision] {
    guard let pause, isMeant(pause.entry) else { return [] }
    self.pause = nil
    return [.drop(pause.entry.run), .cancelTimer(pause.timer)]
  }

  /// Starts an effect as its policy says. Its pace (debouncing or throttling) has already allowed the start. With
  /// `.latest`, the other effects were already cancelled when this effect was added.
  private mutating func begin(_ entry: Entry) -> [Decision] {
    lastTurn += 1
    let turn = Turn(number: lastTurn, entry: entry)
    switch entry.policy {
    case .concurrent, .latest: return [start(turn)]
    case .exhaust: return isBusy ? [.drop(entry.run)] : [start(turn)]
    case .queue:
      queued.append(turn)
      return beginQueued()
    }
  }

  /// Starts a throttled effect and its throttling interval. An effect that is ignored starts no interval.
  private mutating func beginSpan(_ entry: Entry, _ duration: Duration, timer: Int) -> [Decision] {
    if entry.policy == .exhaust && isBusy { return [.drop(entry.run)] }
    span = Span(timer: timer, opener: entry)
    return [.startTimer(timer, run: entry.run, duration)] + begin(entry)
  }

  private var isBusy: Bool { !running.isEmpty || !queued.isEmpty }

  private mutating func start(_ turn: Turn) -> Decision {
    running[turn.entry.run] = turn
    return .start(turn.entry.run)
  }

  /// Starts the first queued effect, if all effects with earlier turns have ended. The next one then waits for it.
  private mutating func beginQueued() -> [Decision] {
    guard let next = queued.first else { return [] }
    let isBlocked = [running, stopping].contains { $0.values.contains { $0.number < next.number } }
    if isBlocked { return [] }
    _ = queued.popFirst()
    return [start(next)]
  }

  /// The queued effects that wait for the end of an effect that has started.
  func queued(behind run: Int) -> [Int] {
    guard let turn = running[run] ?? stopping[run] else { return [] }
    return queued.filter { $0.number > turn.number }.map(\.entry.run)
  }
}
