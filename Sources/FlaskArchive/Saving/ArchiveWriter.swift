internal import FlaskPrimitives
import Dispatch
import Foundation

/// Reads one archive, and writes it some time after its state has changed.
///
/// The schedule decides when to write; the writer performs the work. It sets timers on the scheduler, and reads,
/// encodes and writes on the slot's queue. No lock is held while client code runs, or anything is read or written. The
/// writer does not know the type of the state. It outlives the `StateArchiver` that made it until all changes are
/// saved.
final class ArchiveWriter: Sendable {
  /// The result of a write.
  typealias Outcome = Result<Void, ArchiveError>

  /// The state that the lock guards.
  struct Status {
    var schedule: ArchiveSchedule
    /// The reason why the archive must not be overwritten; `nil` if it may be.
    var refusal: ArchiveError?
    /// The failure that was reported last, until a save succeeds.
    var reported: ArchiveError?
    var isClosed = false
    /// The completions of the requested saves that have not started.
    var waiting: [@Sendable (Save) -> Void] = []
  }

  /// The outcome of a save, and the faults that have to be reported.
  typealias Save = (outcome: Outcome, faults: [ArchiveFault])

  /// The key of the archive.
  var key: String { store.key }

  private let owner: ArchiveOwner
  let store: ArchiveStore
  var backend: any ArchiveBackend { store.backend }
  let scheduler: any ArchiveScheduler
  private let registry: Archivers
  let slot: ArchiveSlot
  let didSave: @Sendable () -> ArchiveError?
  let isShared: Bool
  let save: @Sendable () throws(ArchiveError) -> Void
  private let report: @Sendable (ArchiveFault) -> Void
  let state: Lock<Status>

  /// Makes an archiver that has nothing to save.
  ///
  /// - Parameters:
  ///   - store: the archive.
  ///   - owner: the owner, for faults.
  ///   - schedule: when to save.
  ///   - scheduler: the clock.
  ///   - registry: the registry through which all archivers are made to save.
  ///   - report: receives faults.
  ///   - didSave: called on the slot's queue once the archive is saved; returns an error if the archive permanently
  ///     lacks states.
  ///   - isShared: whether other processes also write the archive.
  ///   - save: writes the current state, on the slot's queue.
  init(
    _ store: ArchiveStore,
    owner: ArchiveOwner,
    schedule: ArchiveSchedule,
    scheduler: any ArchiveScheduler,
    registry: Archivers,
    report: @escaping @Sendable (ArchiveFault) -> Void,
    didSave: @escaping @Sendable () -> ArchiveError? = { nil },
    isShared: Bool = false,
    save: @escaping @Sendable () throws(ArchiveError) -> Void
  ) {
    self.owner = owner
    self.store = store
    self.scheduler = scheduler
    self.registry = registry
    self.save = save
    self.report = report
    self.didSave = didSave
    self.isShared = isShared
    slot = ArchiveSlot.of(store.key, in: store.backend.location)
    state = Lock(Status(schedule: schedule))
    registry.add(self)
    let others = slot.contents.withLock { contents in
      defer { contents.owners.append((ObjectIdentifier(self), owner)) }
      return contents.owners.map(\.owner).filter { $0.isOther(than: owner) }
    }
    if !others.isEmpty, !isShared { report(fault(.sharedKey(owners: others + [owner]))) }
  }

  /// Whether something has changed that is not in the archive.
  var isPending: Bool { state.withLock { $0.schedule.isPending } }

  /// Notes that the state has changed. The state is saved once the delay has passed.
  func stateChanged() {
    let now = scheduler.now
    setTimer(for: state.withLock { $0.isClosed ? nil : $0.schedule.changed(at: now) })
  }

  /// Reads the archive, after all writes in progress, and waits for the result.
  func load<Value>(as shape: ArchiveShape<Value>) -> ArchiveReading<Value> {
    let (reading, faults) = slot.performAndWait { self.read(as: shape) }
    report(faults)
    return reading
  }

  /// Saves the current state, and waits until it is durable. The caller must report the faults of the save.
  func saved() -> Save {
    guard ArchiveWork.current == nil else { return (.failure(.reentrant(key: key)), []) }
    return waited { deliver in save(completion: deliver) }
  }

  /// Saves the current state, and suspends until it is durable. The caller must report the faults of the save.
  func saved() async -> Save {
    await handedOver { deliver in save(completion: deliver) }
  }

  /// Reports the faults of a save, and throws the reason if it failed.
  func settle(_ save: Save) throws(ArchiveError) {
    report(save.faults)
    try save.outcome.get()
  }

  /// Saves the current state, and calls `completion` on the slot's queue when the state is durable or the save has
  /// failed. `completion` must not run client code; it passes the faults on to a place where they can be reported. One
  /// save serves all requests made before it began.
  func save(completion: @escaping @Sendable (Save) -> Void) {
    let isFirst = state.withLock { state in
      state.waiting.append(completion)
      return state.waiting.count == 1
    }
    if isFirst { slot.perform { self.saveForAll() } }
  }

  private func saveForAll() {
    let waiting = state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
    var save = write(isAsked: true)
    for one in waiting {
      one(save)
      // Each waiting caller gets the failure of the save. All other faults go to the first caller only, so that each is
      // reported once.
      save.faults.removeAll { if case .notSaved = $0.kind { false } else { true } }
    }
  }

  /// Removes the archive, and waits until that is done. Changes made before are not saved any more.
  ///
  /// - Parameter forget: called before the removal, on the slot's queue.
  func purge(_ forget: @escaping @Sendable () -> Void = {}) -> Outcome {
    let (outcome, faults) = slot.performAndWait {
      forget()
      return self.remove()
    }
    report(faults)
    return outcome
  }

  /// Saves pending changes, soon, without waiting for the save.
  func saveIfPending() {
    slot.perform { self.reportLater(self.write(isAsked: false).faults) }
  }

  /// Ends archiving. Pending changes are saved soon; later changes are not saved.
  func close() {
    let isPending = state.withLock { state in
      defer { state.isClosed = true }
      return state.isClosed ? nil : state.schedule.isPending
    }
    guard let isPending else { return }
    slot.contents.withLock { $0.leave(ObjectIdentifier(self)) }
    guard isPending else { return registry.remove(self) }
    slot.perform {
      let faults = self.write(isAsked: false).faults
      self.slot.contents.withLock { $0.leave(ObjectIdentifier(self)) }
      self.registry.remove(self)
      self.reportLater(faults)
    }
  }
}

extension ArchiveWriter {
  /// Passes faults to their handlers on this thread.
  func report(_ faults: [ArchiveFault]) {
    for fault in faults { report(fault) }
  }

  /// Reports faults that no caller waits for, one after another. They are never reported on the queue of a slot, so
  /// that a handler may save.
  func reportLater(_ faults: [ArchiveFault]) {
    guard !faults.isEmpty else { return }
    Self.reportLater { self.report(faults) }
  }

  /// Enqueues the report of faults that no caller waits for.
  static func reportLater(_ report: @escaping @Sendable () -> Void) { faultQueue.async(execute: report) }

  /// Makes the fault which reports that the state was not saved.
  func notSaved(_ error: ArchiveError) -> ArchiveFault { fault(.notSaved(error)) }

  /// True if this thread does the work of this archive. Waiting for a save would then never end.
  var isWorkingHere: Bool { slot.isWorkingHere }

  private static let faultQueue = DispatchQueue(label: "FlaskArchive.faults")

  /// Waits until all started work on the archive is done.
  func waitForWork() { slot.performAndWait {} }

  /// Waits until all faults that no caller waits for are reported.
  func waitForFaults() { Self.faultQueue.sync {} }

  func setTimer(for instant: Duration?) {
    guard let instant else { return }
    scheduler.wake(at: instant) { [weak self] in self?.wokeUp(from: instant) }
  }

  private func wokeUp(from instant: Duration) {
    let now = scheduler.now
    switch state.withLock({ $0.schedule.wokeUp(from: instant, at: now) }) {
    case .rest: return
    case .sleep(let instant): setTimer(for: instant)
    case .write: saveIfPending()
    }
  }

  func fault(_ kind: ArchiveFault.Kind) -> ArchiveFault {
    ArchiveFault(key: key, owner: owner, kind: kind)
  }

  func warnings() -> [ArchiveFault] {
    guard let warning = backend.takeWarning() else { return [] }
    if isShared, case .sharedWithAnotherProcess = warning { return [] }
    return [fault(.warning(warning))]
  }
}
