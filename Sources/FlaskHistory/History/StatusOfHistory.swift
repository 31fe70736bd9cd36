internal import FlaskPrimitives

/// The substance with the status of a history, and the status that it is to have.
///
/// The status follows from the steps, so the operation that writes it is Flask's own. At most one such operation waits,
/// and writes the newest status.
///
/// `@unchecked Sendable`:
/// - Isolation: the variables belong to operations of the flux; the flux's queue synchronizes the change of threads.
/// - If violated: a data race.
final class StatusOfHistory: @unchecked Sendable {
  let substance: Substance<HistoryStatus>
  private let place: SourcePlace
  private var newest = HistoryStatus()
  private var isWaiting = false

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

  /// Has the status written after the operation in progress, if it differs. Called inside of an operation.
  func tell(_ status: HistoryStatus) {
    if status == newest { return }
    newest = status
    if isWaiting { return }
    isWaiting = true
    let identity = OperationIdentity(.mix, name: "status of a history", at: place, by: .flask)
    _ = substance.flux.perform(identity, isolation: .none) { [self] transaction in
      isWaiting = false
      transaction.lend(substance.cell).assumingMemoryBound(to: HistoryStatus.self).pointee = newest
      return .commit
    }
  }
}
