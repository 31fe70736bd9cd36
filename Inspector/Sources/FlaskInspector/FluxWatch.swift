internal import Dispatch
internal import FlaskCore
internal import FlaskInsight

/// Fills a feed with what a flux does: its operations, its faults, and what lives in it while somebody looks.
final class FluxWatch: Sendable {
  private let flux: Flux
  private let inspection = Inspection()
  private let watch: BudgetWatch
  private let tasks: [Task<Void, Never>]

  /// Watches from when this returns.
  init(
    _ flux: Flux,
    into feed: Feed,
    values: TracedValues,
    redacting: [Redaction],
    budgets: Budgets,
    labels: SubstanceLabels,
    traveller: Traveller?,
    interval: Duration = .milliseconds(500)
  ) {
    self.flux = flux
    let records = flux.records(values: values, redacting: redacting).makeAsyncIterator()
    let recording = Task { [records] in
      var records = records
      while let record = await records.next() { await feed.append(FluxWatch.line(of: record, labels)) }
    }

    let (faults, report) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(1_000))
    let previous = flux.onFault
    flux.onFault = { fault in
      // Who travels holds the flux up, and knows it.
      if fault.kind == .overBudget && fault.fileID == Traveller.fileID { return }
      report.yield(PageLine.text(FaultLine(fault, at: FluxWatch.now)))
      (previous ?? Flask.onFault)(fault)
    }
    let reporting = Task { for await line in faults { await feed.append(line) } }
    // After the handler is there, which is told what goes beyond its budget.
    watch = BudgetWatch(budgets, of: flux)

    let looking = Task { [inspection, watch] in
      // Nobody has to hold who serves.
      defer { withExtendedLifetime((inspection, watch)) {} }
      var last: LiveLine?
      var age = 0
      while !Task.isCancelled {
        let isSeen = await !feed.isUnread
        await traveller?.note(isSeen: isSeen)
        if isSeen {
          let live = await FluxWatch.live(flux, redacting: redacting, traveller)
          age += 1
          // Also now and then if nothing has changed: so a reader that is gone is noticed.
          if age >= 10 || last.map({ !$0.isSame(as: live) }) ?? true {
            await feed.setLive(PageLine.text(live))
            last = live
            age = 0
          }
        }
        try? await Task.sleep(for: interval)
      }
    }
    tasks = [recording, reporting, looking]
  }

  /// What lives now.
  static func live(_ flux: Flux, redacting: [Redaction], _ traveller: Traveller?) async -> LiveLine {
    let moment = await traveller?.moment
    return LiveLine(flux.inspect(redacting: redacting), waiting: flux.waitingCount, moment: moment, at: now)
  }

  /// What a travel does is none of what the app did.
  private static func line(of record: OperationRecord, _ labels: SubstanceLabels) -> String {
    record.kind == .replay && record.place?.fileID == Traveller.fileID
      ? PageLine.text(LeftOutLine(n: record.number))
      : PageLine.text(OperationLine(record, label: labels.label) { $0.keys.map { PageKey($0) } })
  }

  /// Ends watching. The flux keeps the handler of faults, which only passes them on from here on: another one may have
  /// been set over it meanwhile, or around it.
  func stop() {
    for task in tasks { task.cancel() }
    watch.stop()
  }

  /// On the clock of the records.
  static var now: Int { Int(clamping: DispatchTime.now().uptimeNanoseconds) }
}
