/// A member of a ledger, by which its owner has its state saved: a separate archive, or a part of a group.
protocol ArchiveMember: Sendable {
  var writer: ArchiveWriter { get }
  var id: Int { get }
  /// Reports the faults of a save, and throws the reason if the state of this member was not saved.
  func settle(_ save: ArchiveWriter.Saved) throws(ArchiveError)
  /// As `settle(_:)`, but the failure is not reported.
  func settleThrowing(_ save: ArchiveWriter.Saved) throws(ArchiveError)
  /// Removes what the archive has of this member, and waits.
  func purge() throws(ArchiveError)
  /// Ends archiving. Changes that were not saved are not saved any more.
  func discard()
}

extension ArchiveMember {
  func stateChanged() { writer.stateChanged(of: id) }

  private func ask() { writer.decide { $0.ask(id) } }

  /// The archive is being read while the state is in use already.
  func beginOpening() { writer.decide { $0.beginOpening(id) } }

  /// The state was changed while the archive is being read.
  func mixedWhileOpening() { writer.decide { $0.mixedWhileOpening(id) } }

  /// The archived state has arrived, or there is none.
  func endOpening() {
    let now = writer.scheduler.now
    writer.setTimer(for: writer.decide { $0.endOpening(id, at: now) })
  }

  /// Saves the current state, and waits until it is durable.
  ///
  /// - Throws: the reason why it is not known to be durable; it is also reported as a fault.
  func archiveNow() throws(ArchiveError) {
    ask()
    try settle(writer.saved())
  }

  /// As the synchronous `archiveNow()`, but suspends.
  func archiveNow() async throws(ArchiveError) {
    ask()
    try await settle(writer.saved())
  }

  /// As `archiveNow()`, but the reason is not reported.
  func save() async throws(ArchiveError) {
    ask()
    try await settleThrowing(writer.saved())
  }
}

/// The one member of a separate archive.
struct SeparateMember: ArchiveMember {
  let writer: ArchiveWriter
  let id: Int

  func settle(_ save: ArchiveWriter.Saved) throws(ArchiveError) { try writer.settle(save) }

  func settleThrowing(_ save: ArchiveWriter.Saved) throws(ArchiveError) { try writer.settleThrowing(save) }

  func purge() throws(ArchiveError) { try writer.purge().get() }

  func discard() {
    _ = writer.release(id, isSavable: false)
    writer.close()
  }
}
