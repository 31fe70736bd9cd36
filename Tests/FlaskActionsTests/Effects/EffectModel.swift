@testable import FlaskActions
@testable import FlaskCore

/// What policies and paces mean, as a diary: each effect with what has become of it and when its time comes. Knows no
/// timers, no groups and no decisions; asks the whole diary each time. Slow and plain.
struct EffectModel {
  enum Fate: Equatable { case pauses, awaitsSpan, queues, runs, stops, over }

  struct Effect {
    let number: Int
    let owner: Int
    let policy: FluxEffectPolicy
    let pace: FluxEffectPace
    var fate = Fate.over
    /// When its pause is over.
    var due = Duration.zero
    /// How many were let go before it.
    var turn = 0
  }

  private var diary: [Effect] = []
  private var now = Duration.zero
  private var turns = 0
  /// When the throttled effect that began last lets another begin, and whose it was.
  private var closed: (until: Duration, owner: Int)?

  /// When something happens by itself.
  var nextEvent: Duration? {
    (diary.filter { $0.fate == .pauses }.map(\.due) + (closed.map { [$0.until] } ?? [])).min()
  }

  func numbers(_ fates: Fate...) -> [Int] { diary.filter { fates.contains($0.fate) }.map(\.number) }

  /// An effect comes.
  mutating func come(_ effect: Effect) {
    diary.append(effect)
    let last = diary.count - 1
    if effect.policy == .latest { cancel { $0.number != effect.number } }
    switch effect.pace {
    case .immediate: letGo(last)
    case .debounce(let pause):
      for index in diary.indices where diary[index].fate == .pauses { diary[index].fate = .over }
      diary[last].fate = .pauses
      diary[last].due = now + pause
    case .throttle:
      if closed == nil { return throttle(last) }
      for index in diary.indices where diary[index].fate == .awaitsSpan { diary[index].fate = .over }
      diary[last].fate = .awaitsSpan
    }
  }

  /// The closure of an effect has returned.
  mutating func end(_ number: Int) {
    for index in diary.indices where diary[index].number == number { diary[index].fate = .over }
    turnQueue()
  }

  /// Everything of one owner is cancelled, or everything.
  mutating func cancel(owner: Int?) {
    cancel { owner == nil || $0.owner == owner }
    let somebodyAwaits = diary.contains { $0.fate == .awaitsSpan }
    if let closed, !somebodyAwaits, owner == nil || closed.owner == owner { self.closed = nil }
    turnQueue()
  }

  /// The time comes that `nextEvent` said.
  mutating func advance(to time: Duration) {
    now = time
    if let index = diary.firstIndex(where: { $0.fate == .pauses && $0.due == time }) { return letGo(index) }
    guard closed?.until == time else { return }
    closed = nil
    if let index = diary.firstIndex(where: { $0.fate == .awaitsSpan }) { throttle(index) }
  }

  private mutating func cancel(_ isMeant: (Effect) -> Bool) {
    for index in diary.indices where isMeant(diary[index]) {
      switch diary[index].fate {
      case .pauses, .awaitsSpan, .queues: diary[index].fate = .over
      case .runs: diary[index].fate = .stops
      case .stops, .over: break
      }
    }
  }

  private mutating func throttle(_ index: Int) {
    let effect = diary[index]
    letGo(index)
    guard numbers(.runs, .queues).contains(effect.number) else { return }
    if case .throttle(let span) = effect.pace { closed = (now + span, effect.owner) }
  }

  private mutating func letGo(_ index: Int) {
    diary[index].turn = turns
    turns += 1
    switch diary[index].policy {
    case .concurrent, .latest: diary[index].fate = .runs
    case .exhaust: diary[index].fate = numbers(.runs, .queues).isEmpty ? .runs : .over
    case .queue:
      diary[index].fate = .queues
      turnQueue()
    }
  }

  /// Whoever queues runs when nobody is left who was let go before.
  private mutating func turnQueue() {
    for index in diary.indices where diary[index].fate == .queues {
      let before = diary.contains {
        [.runs, .stops, .queues].contains($0.fate) && $0.turn < diary[index].turn
      }
      if !before { return diary[index].fate = .runs }
    }
  }
}
