/// The effects of one identifier: which run, which wait. Decides, and does nothing.
///
/// A run that was cancelled is *ending* until its closure has returned; it counts for nobody but `.queue`, so that two of a queue never
/// run at a time.
struct EffectGroup {
  private(set) var running: [Int: EffectOffer] = [:]
  private(set) var ending: Set<Int> = []
  private var queued = FirstInFirstOut<EffectOffer>()
  /// Waits for the end of a span.
  private var waiting: EffectOffer?
  /// Measures the present span.
  private var timer: Int?

  var isIdle: Bool { running.isEmpty && ending.isEmpty && queued.isEmpty && waiting == nil && timer == nil }

  /// Takes an offer. `newTimer` is a number that no timer has had.
  mutating func offer(_ offer: EffectOffer, newTimer: Int) -> [EffectStep] {
    switch offer.pace {
    case .immediate: return admit(offer)
    case .debounce(let span):
      var steps = dropWaiting()
      if let timer { steps.append(.cancelTimer(timer)) }
      waiting = offer
      timer = newTimer
      return steps + [.startTimer(newTimer, run: offer.run, id: offer.id, span)]
    case .throttle(let span):
      if timer != nil {
        defer { waiting = offer }
        return dropWaiting()
      }
      timer = newTimer
      return [.startTimer(newTimer, run: offer.run, id: offer.id, span)] + admit(offer)
    }
  }

  /// A span is over.
  mutating func fired(_ fired: Int, newTimer: Int) -> [EffectStep] {
    guard timer == fired else { return [] }
    timer = nil
    guard let offer = waiting.take() else { return [] }
    guard case .throttle(let span) = offer.pace else { return admit(offer) }
    timer = newTimer
    return [.startTimer(newTimer, run: offer.run, id: offer.id, span)] + admit(offer)
  }

  /// The closure of a run has returned.
  mutating func ended(_ run: Int) -> [EffectStep] {
    running[run] = nil
    ending.remove(run)
    return startQueued()
  }

  /// Cancels what runs and forgets what waits, of one owner or of all.
  mutating func cancel(of owner: ObjectIdentifier? = nil) -> [EffectStep] {
    func isMeant(_ offer: EffectOffer) -> Bool { owner == nil || offer.owner == owner }
    var steps: [EffectStep] = []
    for run in running.values.filter(isMeant).map(\.run).sorted() { steps.append(cancelRunning(run)) }
    var kept = FirstInFirstOut<EffectOffer>()
    while let offer = queued.popFirst() {
      if isMeant(offer) { steps.append(.drop(offer.run)) } else { kept.append(offer) }
    }
    queued = kept
    if let offer = waiting, isMeant(offer) {
      steps += dropWaiting()
      if case .debounce = offer.pace { steps += cancelTimer() }
    }
    if owner == nil { steps += cancelTimer() }
    return steps + startQueued()
  }

  private mutating func admit(_ offer: EffectOffer) -> [EffectStep] {
    switch offer.policy {
    case .concurrent: return [start(offer)]
    case .latest:
      var steps = running.keys.sorted().map { cancelRunning($0) }
      while let other = queued.popFirst() { steps.append(.drop(other.run)) }
      return steps + [start(offer)]
    case .exhaust:
      return running.isEmpty && queued.isEmpty ? [start(offer)] : [.drop(offer.run)]
    case .queue:
      queued.append(offer)
      return startQueued()
    }
  }

  private mutating func start(_ offer: EffectOffer) -> EffectStep {
    running[offer.run] = offer
    return .start(offer.run)
  }

  private mutating func startQueued() -> [EffectStep] {
    guard running.isEmpty, ending.isEmpty, let next = queued.popFirst() else { return [] }
    return [start(next)]
  }

  private mutating func cancelRunning(_ run: Int) -> EffectStep {
    running[run] = nil
    ending.insert(run)
    return .cancel(run)
  }

  private mutating func dropWaiting() -> [EffectStep] {
    guard let offer = waiting.take() else { return [] }
    return [.drop(offer.run)]
  }

  private mutating func cancelTimer() -> [EffectStep] {
    guard let old = timer.take() else { return [] }
    return [.cancelTimer(old)]
  }
}
