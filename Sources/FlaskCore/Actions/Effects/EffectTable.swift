/// The effects of one dispatcher, by identifier. Decides which run, wait, are cancelled; no threads, no clocks, no side effects.
struct EffectTable {
  private var groups: [EffectID: EffectGroup] = [:]
  private var owners: Set<ObjectIdentifier> = []
  private var timers = 0
  private var isClosed = false

  /// Whether nothing runs, ends or waits.
  var isIdle: Bool { groups.isEmpty }

  /// Effects of this worker are accepted from here on.
  mutating func own(_ owner: ObjectIdentifier) { owners.insert(owner) }

  /// Effects of this worker are cancelled, and accepted no more.
  mutating func disown(_ owner: ObjectIdentifier) -> [EffectStep] {
    owners.remove(owner)
    return Array(groups.keys).flatMap { id in change(id) { $0.cancel(of: owner) } }
  }

  /// Takes an effect, by its pace and its policy.
  mutating func offer(_ offer: EffectOffer) -> [EffectStep] {
    guard !isClosed, owners.contains(offer.owner) else { return [.drop(offer.run)] }
    timers += 1
    let timer = timers
    return change(offer.id) { $0.offer(offer, newTimer: timer) }
  }

  /// A timer has fired.
  mutating func fired(_ fired: Int, of id: EffectID) -> [EffectStep] {
    timers += 1
    let timer = timers
    return change(id) { $0.fired(fired, newTimer: timer) }
  }

  /// The closure of a run has returned.
  mutating func ended(_ run: Int, of id: EffectID) -> [EffectStep] { change(id) { $0.ended(run) } }

  /// Cancels the effects of an identifier.
  mutating func cancel(_ id: EffectID) -> [EffectStep] { change(id) { $0.cancel() } }

  /// Cancels all effects; none is accepted any more.
  mutating func close() -> [EffectStep] {
    isClosed = true
    return Array(groups.keys).flatMap { cancel($0) }
  }

  private mutating func change(_ id: EffectID, _ body: (inout EffectGroup) -> [EffectStep]) -> [EffectStep] {
    let steps = body(&groups[id, default: EffectGroup()])
    if groups[id]?.isIdle == true { groups[id] = nil }
    return steps
  }
}
