internal import FlaskPrimitives
internal import Synchronization

/// An observer of a global mixer. Ownership: a `SubstanceObservation` holds it, and ends it.
final class MixerObserver: EndsWithObservation, Sendable {
  private let observers: MixerObservers
  let key: MixerKey
  private let handler: @Sendable (FluxPayload?) -> Void
  private let isOver = Atomic<Bool>(false)

  init(
    _ key: MixerKey,
    among observers: MixerObservers,
    _ handler: @escaping @Sendable (FluxPayload?) -> Void
  ) {
    self.key = key
    self.observers = observers
    self.handler = handler
  }

  func end() {
    if !isOver.exchange(true, ordering: .acquiringAndReleasing) { observers.count(key, -1) }
  }

  fileprivate var isListening: Bool { !isOver.load(ordering: .acquiring) }

  func notify(_ payload: FluxPayload?) { if !isOver.load(ordering: .acquiring) { handler(payload) } }
}

/// The observers of the global mixers of a flux, in the order in which they were added. They are not retained.
final class MixerObservers: Sendable {
  private struct Entry { weak var observer: MixerObserver? }
  private struct Entries {
    var all: [Entry] = []
    var living = 0
  }

  private let entries = Lock<[MixerKey: Entries]>([:])
  private let used = Atomic<Bool>(false)

  /// The completion of a mixer's operation, which notifies the observers; `nil` if no mixer was ever observed.
  func completion(of request: MixerRequest) -> (@Sendable (OperationResult) -> Void)? {
    if !used.load(ordering: .acquiring) { return nil }
    return { result in
      if result.isDone { self.notify(request) }
    }
  }

  func add(_ observer: MixerObserver) {
    used.store(true, ordering: .releasing)
    entries.withLock { entries in
      entries[observer.key, default: Entries()].all.append(Entry(observer: observer))
      entries[observer.key]?.living += 1
    }
  }

  /// Adds `number` to the count of living observations of a mixer. If most of its entries have ended, removes these.
  func count(_ key: MixerKey, _ number: Int) {
    entries.withLockReleasing { entries in
      entries[key, default: Entries()].living += number
      guard let old = entries[key], old.living * 2 < old.all.count || old.living == 0 else {
        return [MixerObserver]()
      }
      // All are returned, since a release under the lock could run a `deinit` of client code.
      let observers = old.all.compactMap(\.observer)
      let living = observers.filter(\.isListening)
      entries[key] =
        living.isEmpty ? nil : Entries(all: living.map { Entry(observer: $0) }, living: living.count)
      return observers
    }
  }

  func observers(of key: MixerKey) -> [MixerObserver] {
    entries.withLock { $0[key]?.all.compactMap(\.observer) ?? [] }
  }

  /// Notifies the observers of a mixer that was performed.
  func notify(_ request: MixerRequest) {
    for observer in observers(of: request.key) { observer.notify(request.payload) }
  }

  /// Whether any mixer of an enum is observed.
  func isObserved(anyOf type: ObjectIdentifier) -> Bool {
    entries.withLock { $0.contains { $0.key.type == type && $0.value.living > 0 } }
  }
}

extension Flux {
  /// Calls `handler` each time that a global mixer of this flux was performed: for objects without a substance, such as
  /// a router or a logger.
  ///
  /// ```swift
  /// let token = Flask.bus.observe(mixer: WorkEvents.logout) { _ in socket.close() }
  /// ```
  /// The handler is called for each mixer that is submitted from now on, on the thread that performs it, after the
  /// changes of all substances were committed and notified, and before the next operation. Mixes that it submits are
  /// performed afterwards. It is not called if the mixer was aborted or has thrown. Handlers are called in the order in
  /// which they were added.
  ///
  /// - Parameters:
  ///   - mixer: a case of an enum of global mixers. No substance needs to define it.
  ///   - handler: receives the payload.
  /// - Returns: the observation, which lasts as long as it is retained.
  public func observe<M: RawRepresentable>(
    mixer: M,
    _ handler: @escaping @Sendable (_ payload: FluxPayload?) -> Void
  ) -> SubstanceObservation where M.RawValue == SubstanceMixer {
    let observer = MixerObserver(MixerKey(mixer), among: mixers.observers, handler)
    mixers.observers.add(observer)
    let observation = SubstanceObservation(nil, among: nil, key: -1)
    observation.hold(observer)
    return observation
  }
}
