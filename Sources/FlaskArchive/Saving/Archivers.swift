internal import FlaskPrimitives
internal import Dispatch

/// The registry of active archivers, by which all of them can be saved at once.
package final class Archivers: Sendable {
  /// The registry of the process. At the exit of the process by `exit` or by the end of `main`, all its archivers save.
  package static let shared: Archivers = {
    ProcessExit.finish { Archivers.shared.flush(within: exitLimit) }
    return Archivers()
  }()

  /// The time for which a normal end of the process waits for the archives; 5 s by default. States that are not durable
  /// when the limit has passed are reported as faults, and the process ends.
  package static var exitLimit: Duration {
    get { limit.withLock { $0 } }
    set { limit.withLock { $0 = newValue } }
  }

  private static let limit = Lock(Duration.seconds(5))

  private let writers = Lock([ObjectIdentifier: ArchiveWriter]())

  /// Makes a registry without archivers.
  init() {}

  /// Keeps an archiver until it is removed.
  func add(_ writer: ArchiveWriter) {
    writers.withLock { $0[ObjectIdentifier(writer)] = writer }
  }

  /// Releases an archiver.
  func remove(_ writer: ArchiveWriter) {
    // The writer is released after the lock is unlocked, since its release may run client code.
    writers.withLockReleasing { $0.removeValue(forKey: ObjectIdentifier(writer)) }
  }

  /// Saves all pending changes, and waits. On a thread that does the work of an archive, the call does not wait for
  /// this archive. Without a time limit it does not wait for any other archive either, since the other archive may be
  /// waiting for the first.
  @discardableResult
  package func flush(within limit: Duration? = nil) -> Bool { flush(within: limit) { _ in true } }

  /// As `flush(within:)`, of some archivers only.
  @discardableResult
  func flush(within limit: Duration? = nil, where isIncluded: (ArchiveWriter) -> Bool) -> Bool {
    // A time limit is passed at the exit of the process only. Then archives that are still being read are skipped: the
    // loss of their changes has been reported (`ArchiveOpening.reportLoss`).
    let pending = pending.filter {
      isIncluded($0) && (limit == nil || $0.isUnsavedThoughRead || !$0.isUnsaved)
    }
    let isAnyAwaited = limit != nil || ArchiveWork.current == nil
    let awaited = pending.filter { isAnyAwaited && !$0.isWorkingHere }
    for writer in pending where !isAnyAwaited || writer.isWorkingHere {
      writer.save { writer.reportLater($0.faults) }
      // With a time limit a fault is reported at once, since the process may end before the save does.
      if limit != nil { writer.report([writer.notSaved(.reentrant(key: writer.key))]) }
    }
    let saves = DispatchGroup()
    // The finished saves by index; `nil` once the wait has ended.
    let ends = Lock<[Int: ArchiveWriter.Saved]?>([:])
    for (index, writer) in awaited.enumerated() {
      saves.enter()
      writer.save { save in
        let isAwaited = ends.withLock { ends in
          ends?[index] = save
          return ends != nil
        }
        saves.leave()
        if !isAwaited { writer.reportLater(save.faults) }
      }
    }
    _ = saves.wait(
      timeout: limit.map { DispatchTime(uptime: DispatchArchiveScheduler().now + $0) } ?? .distantFuture
    )
    let ended = ends.withLock { $0.take() ?? [:] }
    return awaited.enumerated().reduce(awaited.count == pending.count) { isDurable, next in
      let (outcome, faults) = ended[next.offset] ?? late(next.element, limit)
      next.element.report(faults)
      if case .failure = outcome { return false }
      return isDurable
    }
  }

  /// Saves all pending changes, and suspends until the saves have ended, instead of blocking the thread as the
  /// synchronous `flush` does.
  package func flush() async -> Bool {
    await withTaskGroup(of: Bool.self) { group in
      for writer in pending {
        group.addTask { (try? await writer.settle(writer.saved())) != nil }
      }
      return await group.reduce(true) { $0 && $1 }
    }
  }

  private func all(of slot: ArchiveSlot) -> [ArchiveWriter] {
    writers.withLock { Array($0.values) }.filter { $0.slot === slot }
  }

  /// Saves unsaved changes of all archivers of a slot but one, on the slot's queue.
  func saveUnsaved(of slot: ArchiveSlot, except writer: ArchiveWriter? = nil) {
    for other in all(of: slot) where other !== writer && other.isUnsavedThoughRead {
      other.reportLater(other.write(isAsked: false).faults)
    }
  }

  /// An archive is about to be read by a new owner, on the slot's queue: earlier owners save their last changes now, or
  /// never, since the new owner's state will not have them.
  func succeed(_ writer: ArchiveWriter) { succeed(in: writer.slot, except: writer) }

  /// As `succeed(_:)`, if the new owner has no archiver of this slot.
  func succeed(in slot: ArchiveSlot, except writer: ArchiveWriter? = nil) {
    saveUnsaved(of: slot, except: writer)
    let ended = slot.decide { $0.supersede(by: writer?.id ?? .max) }
    for earlier in all(of: slot) {
      if let members = ended[earlier.id] { earlier.endUnsaved(members) }
    }
  }

  /// The archive of a slot could not be removed: its archivers save again.
  func setTimers(_ alarms: [ArchiveLedger.Writer: Duration], of slot: ArchiveSlot) {
    for writer in all(of: slot) { writer.setTimer(for: alarms[writer.id]) }
  }

  /// Members of several archivers of a slot have ended.
  func didEnd(_ members: [Int], of slot: ArchiveSlot) {
    for writer in all(of: slot) {
      writer.didEnd(members)
      writer.endIfDone()
    }
  }

  private var pending: [ArchiveWriter] {
    writers.withLock { Array($0.values) }.filter(\.isDue)
  }

  private func late(_ writer: ArchiveWriter, _ limit: Duration?) -> ArchiveWriter.Saved {
    let error = ArchiveError.timedOut(after: limit ?? .zero)
    return (.failure(error), [writer.notSaved(error)])
  }
}
