internal import FlaskPrimitives
import Foundation

// The work of the writer on the slot's queue.
extension ArchiveWriter {
  /// Reads the archive, and remembers whether it may be written over.
  func read<Value>(as shape: ArchiveShape<Value>) -> (ArchiveReading<Value>, [ArchiveFault]) {
    let (reading, file, damage) = ArchiveReader(backend: backend, key: key).read(as: shape)
    let (kind, refusal) = reading.consequences
    decide { $0.setRefusal(of: place(key), refusal) }
    store.know(file)
    return (reading, ((kind ?? damage).map { [fault($0)] } ?? []) + warnings())
  }

  /// Saves what the ledger says.
  func write(isAsked: Bool) -> Saved {
    var faults: [ArchiveFault] = []
    let id = id
    while true {
      guard let plan = decide({ $0.beginSave(by: id, isAsked: isAsked) }) else { break }
      let outcome = plan.blocker.map(Self.blocked) ?? save(plan)
      let now = scheduler.now
      let end = decide { $0.endSave(plan, outcome, at: now) }
      didEnd(end.ended)
      setTimer(for: end.alarm)
      faults += end.lost.map { lost($0, outcome.error) }
      if !end.lost.isEmpty, isAsked || isUnsaved { continue }
      faults += warnings()
      endIfDone()
      guard let error = end.error else { return (.success(()), faults) }
      return (.failure(error), (end.isNews ? [fault(.notSaved(error))] : []) + faults)
    }
    let end = decide { ledger in
      var end = ArchiveLedger.End()
      ledger.endReleased(of: id, &end)
      return end
    }
    didEnd(end.ended)
    endIfDone()
    return (.success(()), faults + end.lost.map { lost($0, nil) })
  }

  static func blocked(by key: String) -> ArchiveLedger.Outcome {
    ArchiveLedger.Outcome(error: .refused(reason: "\(key) has been mixed, and is still being read"))
  }

  func lost(_ key: String, _ error: ArchiveError?) -> ArchiveFault {
    let reason = error ?? .refused(reason: "a later owner of the archive has read it, or changed its state")
    return ArchiveFault(key: key, owner: owner, kind: .lost(reason))
  }

  /// Removes the archive. Changes before are dropped.
  ///
  /// - Parameter forget: called once it is removed.
  func remove(_ forget: () -> Void) -> (Outcome, [ArchiveFault]) {
    let number = decide { $0.count }
    // The content of the archive is not known after a failure.
    store.know(nil)
    do {
      try backend.remove(key)
    } catch {
      let now = scheduler.now
      registry.setTimers(decide { $0.purgeFailed(at: now) }, of: slot)
      return (.failure(ArchiveError(error)), [fault(.notRemoved(ArchiveError(error)))])
    }
    ArchiveReader(backend: backend, key: key).removeSetAside()
    forget()
    registry.didEnd(decide { $0.purged(upTo: number) }, of: slot)
    return (.success(()), [])
  }
}
