internal import FlaskPrimitives
import Dispatch

/// The exchange of a group with other processes that write it: it reads their writes whenever the backend reports a
/// change, and passes on the incoming states.
final class GroupSharing: Sendable {
  private struct Status {
    var observation: ArchiveObservation?
    /// The failure to observe the backend that was reported last, so that it is not reported again; `nil` once an
    /// observation has begun.
    var reported: ArchiveError?
    var isDue = false
    var isEnded = false
    /// The number of stale deliveries in succession.
    var staleCount = 0
  }

  /// The largest number of deliveries in succession that are repeated at once because a state has changed meanwhile.
  /// After more of them the states of this process change too fast, and the next save installs the writes of other
  /// processes.
  private static let patience = 3

  let slot: ArchiveSlot
  private let contents: GroupContents
  private let deliver: @Sendable (ArchiveDelivery) -> Void
  /// The queue on which incoming states are delivered, one after another. It is not the queue of an archive, since
  /// reactions may run on it.
  private let deliveries = DispatchQueue(label: "FlaskArchive.deliveries", qos: .userInitiated)
  private let status = Lock(Status())

  init(of contents: GroupContents, deliver: @escaping @Sendable (ArchiveDelivery) -> Void) {
    self.contents = contents
    self.deliver = deliver
    slot = contents.slot
  }

  /// Ends the reports.
  func end() {
    status.withLockReleasing { status in
      status.isEnded = true
      return status.observation.take()
    }
  }

  /// Begins to observe the backend, unless an observation is in progress. Call it on the group's queue.
  func watch() {
    guard let backend = contents.backend as? any ObservableArchiveBackend,
      status.withLock({ $0.observation == nil && !$0.isEnded })
    else { return }
    do {
      let observation = try backend.observe(contents.key) { [weak self] error in self?.didChange(error) }
      let isEnded = status.withLock { status in
        if !status.isEnded { status.observation = observation }
        status.reported = nil
        return status.isEnded
      }
      withExtendedLifetime(observation) {}
      // The writes before the observation.
      if !isEnded { receiveLater() }
    } catch {
      report(ArchiveError(error))
    }
  }

  private func didChange(_ error: ArchiveError?) {
    guard let error else { return receiveLater() }
    status.withLockReleasing { $0.observation.take() }
    report(error)
  }

  private func report(_ error: ArchiveError) {
    let isNews = status.withLock { status in
      defer { status.reported = error }
      return status.reported != error && !status.isEnded
    }
    let contents = contents
    if isNews { ArchiveWriter.reportLater { contents.report(.notObserved(error)) } }
  }

  /// Reads the writes of other processes soon. Several calls before the reading lead to one reading.
  func receiveLater() {
    let mustAsk = status.withLock { status in
      defer { status.isDue = true }
      return !status.isDue && !status.isEnded
    }
    guard mustAsk else { return }
    slot.perform { [weak self] in
      guard let self else { return }
      self.status.withLock { $0.isDue = false }
      // The error is ignored: the next save reads the part again, and reports the error.
      try? self.exchange(nil)
    }
  }

  /// Installs the writes of other processes, and writes our changes if requested. Call it on the group's queue.
  ///
  /// - Throws: why the group could not be read or written.
  func exchange(_ plan: ArchiveLedger.Plan?) throws(ArchiveError) {
    watch()
    var reports: [GroupContents.Report] = []
    defer { for report in reports { ArchiveWriter.reportLater(report) } }
    let arriving = try contents.exchange(plan, reports: &reports)
    guard !arriving.isEmpty else { return status.withLock { $0.staleCount = 0 } }
    let contents = contents
    let delivery = ArchiveDelivery(
      items: arriving,
      group: contents,
      willInstall: { contents.expect($0) },
      isStale: { [weak self] in self?.isStale() }
    )
    deliveries.async { [deliver] in deliver(delivery) }
  }

  private func isStale() {
    let isPatient = status.withLock { status in
      status.staleCount += 1
      return status.staleCount <= Self.patience
    }
    if isPatient { receiveLater() }
  }

  /// Installs the writes of other processes, and writes what a plan names.
  func save(_ plan: ArchiveLedger.Plan) -> ArchiveLedger.Outcome {
    do throws(ArchiveError) {
      try exchange(plan)
      contents.finish(plan)
      return ArchiveLedger.Outcome(written: Set(plan.states.map(\.member)))
    } catch {
      return ArchiveLedger.Outcome(error: error)
    }
  }

  /// Waits until each incoming state is delivered or enqueued in its flux.
  func waitForDeliveries() { deliveries.sync {} }
}
