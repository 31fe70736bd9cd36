internal import Dispatch
internal import FlaskCore
internal import FlaskInsight

/// Fills a feed with what a flux does: its operations, its faults, and what lives in it while somebody looks.
final class Recorder: Sendable {
  private let flux: Flux
  private let inspection = Inspection()
  private let watch: BudgetWatch
  private let previousFaultHandler: (@Sendable (FlaskFault) -> Void)?
  private let tasks: [Task<Void, Never>]

  /// Records from when this returns.
  init(
    _ flux: Flux,
    into feed: Feed,
    values: TracedValues,
    redacting: [Redaction],
    budgets: Budgets,
    interval: Duration = .milliseconds(500)
  ) {
    self.flux = flux
    let records = flux.records(values: values, redacting: redacting).makeAsyncIterator()
    let recording = Task { [records] in
      var records = records
      while let record = await records.next() { await feed.append(OperationLine.text(of: record)) }
    }

    let (faults, report) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(1_000))
    let previous = flux.onFault
    previousFaultHandler = previous
    flux.onFault = { fault in
      report.yield(FaultLine.text(of: fault, at: Recorder.now))
      (previous ?? Flask.onFault)(fault)
    }
    let reporting = Task { for await line in faults { await feed.append(line) } }
    // After the handler is there, which is told what goes beyond its budget.
    watch = BudgetWatch(budgets, of: flux)

    let looking = Task {
      var last: LiveLine?
      var age = 0
      while !Task.isCancelled {
        if await !feed.isUnread {
          let live = Recorder.live(flux, redacting: redacting)
          age += 1
          // Also now and then if nothing has changed: so a reader that is gone is noticed.
          if age >= 10 || last.map({ !$0.isSame(as: live) }) ?? true {
            await feed.setLive(live.text)
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
  static func live(_ flux: Flux, redacting: [Redaction]) -> LiveLine {
    LiveLine(flux.inspect(redacting: redacting), waiting: flux.waitingCount, at: now)
  }

  /// Ends recording, and gives the flux its handler of faults back.
  func stop() {
    for task in tasks { task.cancel() }
    flux.onFault = previousFaultHandler
  }

  /// On the clock of the records.
  static var now: Int { Int(clamping: DispatchTime.now().uptimeNanoseconds) }
}
