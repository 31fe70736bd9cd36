import Dispatch
import Foundation

/// Saves one archive some time after its state has changed.
///
/// The schedule decides, this acts: timers on the scheduler, reading, encoding and writing on the slot's queue. No lock
/// is held while a user's code runs, or anything is read or written. It lives until `close()`, and whatever has changed
/// until then is saved.
final class IdleArchiver: Sendable {
  /// What comes of a write.
  typealias Outcome = Result<Void, ArchiveError>

  private struct State {
    var schedule: ArchiveSchedule
    /// Why nothing may be written over the archive.
    var refusal: ArchiveError?
    /// The failure that was reported last, until a save succeeds.
    var reported: ArchiveError?
    var isClosed = false
  }

  /// The key of the archive.
  let key: String

  private let owner: String
  private let backend: any ArchiveBackend
  private let scheduler: any ArchiveScheduler
  private let registry: ArchiverRegistry
  private let slot: ArchiveSlot
  private let encode: @Sendable () throws(ArchiveError) -> Data?
  private let report: @Sendable (ArchiveFault) -> Void
  private let state: Lock<State>

  /// Makes an archiver that has nothing to save.
  ///
  /// - Parameters:
  ///   - key: the key of the archive.
  ///   - owner: who has it, for faults.
  ///   - backend: where it is kept.
  ///   - schedule: when to save.
  ///   - scheduler: the clock.
  ///   - registry: who can make it save.
  ///   - report: receives faults.
  ///   - encode: the archive of the state as it is now; `nil` if there is no state any more.
  init(
    key: String,
    owner: String,
    backend: any ArchiveBackend,
    schedule: ArchiveSchedule,
    scheduler: any ArchiveScheduler,
    registry: ArchiverRegistry,
    report: @escaping @Sendable (ArchiveFault) -> Void,
    encode: @escaping @Sendable () throws(ArchiveError) -> Data?
  ) {
    self.key = ArchiveKey.canonical(key)
    self.owner = owner
    self.backend = backend
    self.scheduler = scheduler
    self.registry = registry
    self.encode = encode
    self.report = report
    slot = ArchiveSlot.of(self.key, in: backend.location)
    state = Lock(State(schedule: schedule))
    registry.add(self)
    let owners = slot.contents.withLock { contents in
      contents.owners.append((ObjectIdentifier(self), owner))
      return contents.owners.map(\.name)
    }
    if owners.count > 1 { report(fault(.sharedKey(owners: owners))) }
  }

  /// Whether something has changed that is not in the archive.
  var isPending: Bool { state.withLock { $0.schedule.isPending } }

  /// The state has changed: it is saved in due time.
  func stateChanged() {
    let now = scheduler.now
    setTimer(for: state.withLock { $0.isClosed ? nil : $0.schedule.changed(at: now) })
  }

  /// Reads the archive and waits for it, after all that is being written.
  func load<Value>(as shape: ArchiveShape<Value>) -> ArchiveReading<Value> {
    let (reading, faults) = slot.performAndWait { self.read(as: shape) }
    report(faults)
    return reading
  }

  /// Saves the state as it is now, and waits until it is durable.
  func save() -> Outcome {
    guard !ArchiveSlot.isWorking else { return .failure(.reentrant(key: key)) }
    let (outcome, faults) = slot.performAndWait { self.write(isAsked: true) }
    report(faults)
    return outcome
  }

  /// Saves the state as it is now, and calls `completion` when it is durable, or is not to be: on the slot's queue, so
  /// that `completion` must not run a user's code, and passes the faults on to where they can be reported.
  func save(completion: @escaping @Sendable (Outcome, [ArchiveFault]) -> Void) {
    slot.perform {
      let (outcome, faults) = self.write(isAsked: true)
      completion(outcome, faults)
    }
  }

  /// Hands faults over to whoever receives them, on this thread.
  func report(_ faults: [ArchiveFault]) {
    for fault in faults { report(fault) }
  }

  /// Removes the archive, and waits until it is gone. What has changed before is not saved any more.
  func purge() -> Outcome {
    let (outcome, faults) = slot.performAndWait { self.remove() }
    report(faults)
    return outcome
  }

  /// Gives the archive up: what has changed is still saved, soon, and nothing that changes later.
  func close() {
    let isPending = state.withLock { state in
      defer { state.isClosed = true }
      return state.isClosed ? nil : state.schedule.isPending
    }
    guard let isPending else { return }
    slot.contents.withLock { $0.owners.removeAll { $0.id == ObjectIdentifier(self) } }
    guard isPending else { return registry.remove(self) }
    slot.perform {
      let faults = self.write(isAsked: false).faults
      self.registry.remove(self)
      guard !faults.isEmpty else { return }
      Self.faultQueue.async { self.report(faults) }
    }
  }
}

extension IdleArchiver {
  /// Faults that nobody waits for are reported here, one after another, and never on the queue of a slot, so that who
  /// receives them may save.
  private static let faultQueue = DispatchQueue(label: "FlaskArchive.faults")

  /// Waits until all that was begun for the archive is done.
  func waitForWork() { slot.performAndWait {} }

  /// Waits until all faults are reported that nobody waited for.
  func waitForFaults() { Self.faultQueue.sync {} }

  private func setTimer(for instant: Duration?) {
    guard let instant else { return }
    scheduler.wake(at: instant) { [weak self] in self?.wokeUp(from: instant) }
  }

  private func wokeUp(from instant: Duration) {
    let now = scheduler.now
    switch state.withLock({ $0.schedule.wokeUp(from: instant, at: now) }) {
    case .rest: return
    case .sleep(let instant): setTimer(for: instant)
    case .write:
      slot.perform {
        let faults = self.write(isAsked: false).faults
        guard !faults.isEmpty else { return }
        Self.faultQueue.async { self.report(faults) }
      }
    }
  }

  private func fault(_ kind: ArchiveFault.Kind) -> ArchiveFault {
    ArchiveFault(key: key, owner: owner, kind: kind)
  }

  private func warnings() -> [ArchiveFault] {
    backend.takeWarning().map { [fault(.warning($0))] } ?? []
  }
}

// What runs on the slot's queue.
extension IdleArchiver {
  private func read<Value>(as shape: ArchiveShape<Value>) -> (ArchiveReading<Value>, [ArchiveFault]) {
    let (reading, current) = ArchiveReader(backend: backend, key: key).read(as: shape)
    let (kind, refusal): (ArchiveFault.Kind?, ArchiveError?) =
      switch reading {
      case .absent, .state: (nil, nil)
      case .unreadable(let error): (.unreadable(error), error)
      case .corrupt(let error, let copy): (.corrupt(error, setAside: copy), copy == nil ? error : nil)
      }
    state.withLock { $0.refusal = refusal }
    slot.contents.withLock { $0.header = current.map(ArchiveFormat.Fingerprint.init) }
    return (reading, (kind.map { [fault($0)] } ?? []) + warnings())
  }

  private func write(isAsked: Bool) -> (outcome: Outcome, faults: [ArchiveFault]) {
    let (isDue, refusal, lastChange) = state.withLock { state in
      defer { state.schedule.beginWriting() }
      return (isAsked || state.schedule.isPending, state.refusal, state.schedule.lastChange)
    }
    guard isDue else { return (.success(()), []) }
    let (outcome, ending) =
      refusal.map { (.failure(.refused(reason: "\($0)")), .abandoned) } ?? attempt(lastChange)
    let now = scheduler.now
    let (alarm, isNews) = state.withLock { state in
      let error: ArchiveError? = if case .failure(let error) = outcome { error } else { nil }
      defer { state.reported = error }
      return (state.schedule.endWriting(ending, at: now), isAsked || error != state.reported)
    }
    setTimer(for: alarm)
    guard case .failure(let error) = outcome, isNews else { return (outcome, warnings()) }
    return (outcome, [fault(.notSaved(error))] + warnings())
  }

  private func attempt(_ lastChange: Duration?) -> (Outcome, ArchiveSchedule.Outcome) {
    let data: Data
    do throws(ArchiveError) {
      guard let encoded = try encode() else { return (.success(()), .abandoned) }
      data = encoded
    } catch {
      return (.failure(error), .abandoned)
    }
    guard !isSuperseded(lastChange), !isPresent(data) else { return (.success(()), .saved) }
    do {
      slot.contents.withLock { $0.header = nil }
      try backend.save(data, for: key)
      slot.contents.withLock { contents in
        contents.header = ArchiveFormat.Fingerprint(data)
        contents.lastChange = lastChange ?? contents.lastChange
      }
      return (.success(()), .saved)
    } catch {
      return (.failure(ArchiveError(error)), .failed)
    }
  }

  /// Whether another archiver of the key has saved a later change.
  private func isSuperseded(_ lastChange: Duration?) -> Bool {
    guard let saved = slot.contents.withLock({ $0.lastChange }) else { return false }
    return saved > lastChange ?? .zero
  }

  /// Whether the archive has these very bytes. The header is a quick no; a yes is looked up in the archive, which
  /// another process may have changed.
  private func isPresent(_ data: Data) -> Bool {
    guard slot.contents.withLock({ $0.header }) == ArchiveFormat.Fingerprint(data) else { return false }
    return (try? backend.load(key)) == data
  }

  private func remove() -> (Outcome, [ArchiveFault]) {
    state.withLock { $0.schedule.drop() }
    slot.contents.withLock { $0.header = nil }
    do {
      try backend.remove(key)
      state.withLock { $0.refusal = nil }
      return (.success(()), [])
    } catch {
      return (.failure(ArchiveError(error)), [fault(.notRemoved(ArchiveError(error)))])
    }
  }
}
