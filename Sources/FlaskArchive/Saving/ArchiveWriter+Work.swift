internal import FlaskPrimitives
import Foundation

// What the writer does on the slot's queue.
extension ArchiveWriter {
  /// Reads the archive, and remembers whether it may be written over.
  func read<Value>(as shape: ArchiveShape<Value>) -> (ArchiveReading<Value>, [ArchiveFault]) {
    let (reading, finding) = ArchiveReader(backend: backend, key: key).read(as: shape)
    let (kind, refusal): (ArchiveFault.Kind?, ArchiveError?) =
      switch reading {
      case .absent: (nil, nil)
      case .state: (finding.damage.map { .journalDamaged($0.error, setAside: $0.setAside) }, nil)
      case .unreadable(let error): (.unreadable(error), error)
      case .corrupt(let error, let copy): (.corrupt(error, setAside: copy), copy == nil ? error : nil)
      }
    state.withLock { $0.refusal = refusal }
    slot.contents.withLock { $0.header = finding.current.map(JournalFormat.beginning) }
    know(finding.basis)
    return (reading, (kind.map { [fault($0)] } ?? []) + warnings())
  }

  /// Writes the state if something has changed, or if somebody asked for it.
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
    if let exchange {
      do throws(ArchiveError) {
        try exchange()
        slot.contents.withLock { $0.lastChange = lastChange ?? $0.lastChange }
        return saved()
      } catch {
        switch error {
        case .notEncodable, .refused: return (.failure(error), .abandoned)
        default: return (.failure(error), .failed)
        }
      }
    }
    let journals = backend as? any JournalArchiveBackend
    let basis = journals.flatMap { _ in slot.contents.withLock { $0.basis } }
    do throws(ArchiveError) {
      var step = try encode(basis, journals != nil)
      if case .append(let record, let next)? = step, let basis, let journals {
        if append(record, basis, next, lastChange, in: journals) { return saved() }
        // Somebody else has written, or nothing more can be appended: so the whole is saved.
        step = try encode(nil, true)
      }
      guard case .whole(let data, let next)? = step else { return (.success(()), .abandoned) }
      return save(data, lastChange, knowing: next)
    } catch {
      return (.failure(error), .abandoned)
    }
  }

  /// The outcome of a save once the archive has what was encoded.
  private func saved() -> (Outcome, ArchiveSchedule.Outcome) {
    didSave().map { (.failure($0), .abandoned) } ?? (.success(()), .saved)
  }

  /// Saves the whole, if it is not there already.
  func save(_ data: Data, _ lastChange: Duration?, knowing basis: JournalBasis? = nil) -> (
    Outcome, ArchiveSchedule.Outcome
  ) {
    if isSuperseded(lastChange) || isPresent(data) { return saved() }
    know(nil)
    do {
      slot.contents.withLock { $0.header = nil }
      try backend.save(data, for: key)
      slot.contents.withLock { contents in
        contents.header = JournalFormat.beginning(of: data)
        contents.lastChange = lastChange ?? contents.lastChange
      }
      know(basis)
      return saved()
    } catch {
      return (.failure(ArchiveError(error)), .failed)
    }
  }

  /// Whether another archiver of the key has saved a later change.
  func isSuperseded(_ lastChange: Duration?) -> Bool {
    guard let saved = slot.contents.withLock({ $0.lastChange }) else { return false }
    return saved > lastChange ?? .zero
  }

  /// Whether the archive has these very bytes. The header is a quick no; a yes is looked up in the archive, which
  /// another process may have changed.
  private func isPresent(_ data: Data) -> Bool {
    guard slot.contents.withLock({ $0.header }) == JournalFormat.beginning(of: data) else { return false }
    guard let backend = backend as? any JournalArchiveBackend else { return (try? backend.load(key)) == data }
    // Behind these bytes another process may have noted what has changed since.
    guard let found = try? backend.loadWithJournal(key) else { return false }
    return found.archive == data && found.journal.isEmpty
  }

  /// Removes the archive. What has changed before is dropped.
  func remove() -> (Outcome, [ArchiveFault]) {
    state.withLock { $0.schedule.drop() }
    slot.contents.withLock { $0.header = nil }
    know(nil)
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
