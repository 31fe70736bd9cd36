internal import FlaskPrimitives

/// The substance with the status of a history, and the status that it is to have.
///
/// The status follows from the steps, so the operations that write it are Flask's own. There are at most as many as
/// operations of clients that change the steps.
///
/// `@unchecked Sendable`:
/// - Isolation: `newest` belongs to operations of the flux; the flux's queue synchronizes the change of threads.
/// - If violated: a data race.
final class StatusOfHistory: @unchecked Sendable {
  let substance: Substance<HistoryStatus>
  private let place: SourcePlace
  private var newest = HistoryStatus()

  init(named name: String, in flux: Flux, at place: SourcePlace) {
    self.place = place
    substance = Flux.$current.withValue(flux) { Substance(HistoryStatus(), name: name) }
  }

  func reportBacklog() {
    substance.flux.report(
      .backlog,
      "an optimistic change of \(substance.name()) is not answered: \(PendingChanges.budget) commits are kept for its revert; "
        + "have `confirmedBy` return or throw, such as after a timeout",
      at: place
    )
  }

  /// Submits a mix that writes the status, if the status differs from the last one. Called inside of an operation; the
  /// mix is performed after it. Each status has its own mix. So a closure that read `canUndo` between two operations is
  /// notified of the second.
  func publish(_ status: HistoryStatus) {
    if status == newest { return }
    newest = status
    let identity = OperationIdentity(.mix, name: "status of a history", at: place, by: .flask)
    _ = substance.flux.perform(identity, isolation: .none) { [self] drafts in
      drafts.openDraft(of: substance.cell).assumingMemoryBound(to: HistoryStatus.self).pointee = status
      return .commit
    }
  }
}
