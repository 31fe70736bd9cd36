internal import FlaskPrimitives
import Dispatch
import Foundation

/// Reads one archive, and writes it some time after its state has changed.
///
/// The ledger decides what to write and when; the writer performs the work. It sets timers on the scheduler, and reads,
/// encodes and writes on the slot's queue. No lock is held while client code runs, or anything is read or written. The
/// writer does not know the type of the state. It outlives the `StateArchiver` that made it until the changes of its
/// members are saved.
final class ArchiveWriter: Sendable {
  /// The result of a write.
  typealias Outcome = Result<Void, ArchiveError>

  /// The outcome of a save, and the faults that have to be reported.
  typealias Saved = (outcome: Outcome, faults: [ArchiveFault])

  /// Writes what a plan names, on the slot's queue.
  typealias Save = @Sendable (ArchiveLedger.Plan) -> ArchiveLedger.Outcome

  /// The key of the archive.
  var key: String { store.key }

  let owner: ArchiveOwner
  let store: ArchiveStore
  var backend: any ArchiveBackend { store.backend }
  let scheduler: any ArchiveScheduler
  let registry: Archivers
  let slot: ArchiveSlot
  let save: Save
  let didEnd: @Sendable (_ members: [Int]) -> Void
  private let report: @Sendable (ArchiveFault) -> Void
  /// The completions of the requested saves that have not started.
  let waiting = Lock<[@Sendable (Saved) -> Void]>([])

  let id: ArchiveLedger.Writer

  /// A part that this writer saves.
  func place(_ key: String) -> ArchiveLedger.Place { ArchiveLedger.Place(key: key, writer: id) }

  /// Asks the ledger of the slot, or notes an event in it.
  func decide<Decision>(_ body: (inout ArchiveLedger) -> Decision) -> Decision { slot.decide(body) }

  /// Makes a writer without members.
  ///
  /// - Parameters:
  ///   - store: the archive.
  ///   - owner: the owner, for faults.
  ///   - isGroup: whether it is the archive of a group.
  ///   - schedule: when to save.
  ///   - scheduler: the clock.
  ///   - registry: the registry through which all archivers are made to save.
  ///   - report: receives faults.
  ///   - didEnd: called when members have ended, on the slot's queue.
  ///   - save: writes what a plan names, on the slot's queue.
  init(
    _ store: ArchiveStore,
    owner: ArchiveOwner,
    isGroup: Bool = false,
    schedule: ArchiveSchedule,
    scheduler: any ArchiveScheduler,
    registry: Archivers,
    report: @escaping @Sendable (ArchiveFault) -> Void,
    didEnd: @escaping @Sendable (_ members: [Int]) -> Void = { _ in },
    save: @escaping Save
  ) {
    self.owner = owner
    self.store = store
    self.scheduler = scheduler
    self.registry = registry
    self.save = save
    self.report = report
    self.didEnd = didEnd
    slot = ArchiveSlot.of(store.key, in: store.backend.location)
    let (id, others) = slot.decide { $0.addWriter(owner: owner, isGroup: isGroup, schedule: schedule) }
    self.id = id
    registry.add(self)
    if !others.isEmpty { report(fault(.sharedKey(owners: others + [owner]))) }
  }

  /// Whether something has changed that is not in the archive.
  var isUnsaved: Bool { decide { $0.isUnsaved(id) } }

  /// As `isUnsaved`, without members whose archive is still being read.
  var isUnsavedThoughRead: Bool { decide { $0.isUnsaved(id, isOpeningIncluded: false) } }

  /// Whether there is anything to save, or to report as lost.
  var isDue: Bool { decide { $0.isUnsaved(id) || $0.hasReleased(id) } }

  /// Ends members whose last changes are not saved any more, and reports that.
  func endUnsaved(_ members: [(id: Int, key: String)]) {
    didEnd(members.map(\.id))
    reportLater(members.map { lost($0.key, nil) })
    endIfDone()
  }

  /// Notes that the state of a member has changed. It is saved once the delay has passed.
  func stateChanged(of member: Int) {
    let now = scheduler.now
    setTimer(for: decide { $0.changed(member, at: now) })
  }

  /// The owner of a member was released. Its unsaved changes are saved soon.
  ///
  /// - Parameter isSavable: whether its state may still be saved.
  /// - Returns: whether the member is kept until then.
  func release(_ member: Int, isSavable: Bool) -> Bool {
    let now = scheduler.now
    let (isKept, alarm) = decide { $0.release(member, isSavable: isSavable, at: now) }
    setTimer(for: alarm)
    if isKept { saveIfUnsaved() }
    return isKept
  }

  /// Reads the archive, after all writes in progress, and waits for the result.
  func load<Value>(as shape: ArchiveShape<Value>) -> ArchiveReading<Value> {
    // Client code that is called by the work of this archive may read it again.
    let isInside = ArchiveWork.current != nil
    let (reading, faults) = slot.performAndWait {
      if !isInside { self.registry.succeed(self) }
      return self.read(as: shape)
    }
    report(faults)
    return reading
  }

  /// Saves the current state, and waits until it is durable. The caller must report the faults of the save.
  func saved() -> Saved {
    guard ArchiveWork.current == nil else { return (.failure(.reentrant(key: key)), []) }
    return waited { deliver in save(completion: deliver) }
  }

  /// Saves the current state, and suspends until it is durable. The caller must report the faults of the save.
  func saved() async -> Saved {
    await handedOver { deliver in save(completion: deliver) }
  }

  /// Reports the faults of a save, and throws the reason if it failed.
  func settle(_ save: Saved) throws(ArchiveError) {
    report(save.faults)
    try save.outcome.get()
  }

  /// Reports the faults of a save, and throws the reason if it failed, which is not reported then.
  func settleThrowing(_ save: Saved) throws(ArchiveError) {
    reportOthers(save)
    if case .failure = save.outcome { forgetReport() }
    try save.outcome.get()
  }

  /// The last failure was not reported, so the next attempt that fails is news.
  func forgetReport() { decide { $0.writers[id]?.reported = nil } }

  /// Reports the faults of a save, but not its failure.
  func reportOthers(_ save: Saved) {
    report(save.faults.filter { if case .notSaved = $0.kind { false } else { true } })
  }

  /// Saves the current state, and calls `completion` on the slot's queue when the state is durable or the save has
  /// failed. `completion` must not run client code; it passes the faults on to a place where they can be reported. One
  /// save serves all requests made before it began.
  func save(completion: @escaping @Sendable (Saved) -> Void) {
    // Nothing is saved while the archive of a mixed member is being read. That may take long, so this save fails at
    // once instead of waiting.
    if let key = decide({ $0.blocker(of: id) }), let error = Self.blocked(by: key).error {
      return completion((.failure(error), [fault(.notSaved(error))]))
    }
    let isFirst = waiting.withLock { waiting in
      waiting.append(completion)
      return waiting.count == 1
    }
    if isFirst { slot.perform { self.saveForAll() } }
  }

  private func saveForAll() {
    let waiting = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
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
  /// - Parameter forget: called after the removal, on the slot's queue.
  func purge(_ forget: @escaping @Sendable () -> Void = {}) -> Outcome {
    let (outcome, faults) = slot.performAndWait { self.remove(forget) }
    report(faults)
    return outcome
  }

  /// Saves unsaved changes, soon, without waiting for the save.
  func saveIfUnsaved() {
    slot.perform { self.reportLater(self.write(isAsked: false).faults) }
  }

  /// Archiving has ended, such as by the owner's release. The writer ends once its members have ended.
  func close() {
    let id = id
    decide { $0.close(id) }
    endIfDone()
  }

  /// Removes the writer from the registry if nothing is left to do.
  func endIfDone() {
    let id = id
    if decide({ $0.end(id) }) { registry.remove(self) }
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

  /// How many callers wait for a save that has not started.
  var waitingCount: Int { waiting.withLock { $0.count } }

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
    let id = id
    switch decide({ $0.writers[id]?.schedule.wokeUp(from: instant, at: now) }) {
    case .rest, nil: return
    case .sleep(let instant): setTimer(for: instant)
    case .write: saveIfUnsaved()
    }
  }

  func fault(_ kind: ArchiveFault.Kind) -> ArchiveFault {
    ArchiveFault(key: key, owner: owner, kind: kind)
  }

  func warnings() -> [ArchiveFault] {
    backend.takeWarning().map { [fault(.warning($0))] } ?? []
  }
}
