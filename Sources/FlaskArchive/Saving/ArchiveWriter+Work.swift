internal import FlaskPrimitives
import Foundation

// The work of the writer on the slot's queue.
extension ArchiveWriter {
  /// Reads the archive, and remembers whether it may be written over.
  func read<Value>(as shape: ArchiveShape<Value>) -> (ArchiveReading<Value>, [ArchiveFault]) {
    let (reading, file, damage) = ArchiveReader(backend: backend, key: key).read(as: shape)
    let (kind, refusal): (ArchiveFault.Kind?, ArchiveError?) =
      switch reading {
      case .absent: (nil, nil)
      case .state: (damage.map { .journalDamaged($0.error, setAside: $0.setAside) }, nil)
      case .unreadable(let error): (.unreadable(error), error)
      case .corrupt(let error, let copy): (.corrupt(error, setAside: copy), copy == nil ? error : nil)
      }
    state.withLock { $0.refusal = refusal }
    store.know(file)
    return (reading, (kind.map { [fault($0)] } ?? []) + warnings())
  }

  /// Writes the state if it has changed, or if a save was requested.
  func write(isAsked: Bool) -> Save {
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
    if !isShared, isSuperseded(lastChange) { return saved() }
    do throws(ArchiveError) {
      try save()
      slot.contents.withLock { $0.lastChange = lastChange ?? $0.lastChange }
      return saved()
    } catch {
      switch error {
      case .notEncodable, .refused, .tooDeep: return (.failure(error), .abandoned)
      default: return (.failure(error), .failed)
      }
    }
  }

  /// Returns the result of a save once the archive is up to date: a failure if the archive still lacks states.
  private func saved() -> (Outcome, ArchiveSchedule.Outcome) {
    didSave().map { (.failure($0), .abandoned) } ?? (.success(()), .saved)
  }

  /// Whether another archiver of the key has saved a later change.
  func isSuperseded(_ lastChange: Duration?) -> Bool {
    guard let saved = slot.contents.withLock({ $0.lastChange }) else { return false }
    return saved > lastChange ?? .zero
  }

  /// Removes the archive. Changes before are dropped.
  func remove() -> (Outcome, [ArchiveFault]) {
    state.withLock { $0.schedule.drop() }
    store.know(nil)
    do {
      try backend.remove(key)
      ArchiveReader(backend: backend, key: key).removeSetAside()
      state.withLock { $0.refusal = nil }
      return (.success(()), [])
    } catch {
      return (.failure(ArchiveError(error)), [fault(.notRemoved(ArchiveError(error)))])
    }
  }
}
