import Flask
import Flights

/// Takes lines, one by one, and mixes what they say into the substances. Asks and prints nothing.
@MainActor
final class Departures {
  private let substances: Substances
  private var openDay: String?

  init(_ substances: Substances) {
    self.substances = substances
    openDay = substances.journal._openDay
  }

  func mix(_ line: FlightLine) {
    switch line.content {
    case .flight(let flight): mix(flight, line.number)
    case .blank: mixJournal(line.number) { $0.blank += 1 }
    case .bad(let error):
      let bad = BadLine(number: line.number, reason: "\(error)")
      mixJournal(line.number) {
        $0.bad += 1
        $0.lastBad = bad
      }
    }
  }

  /// Closes the last day; returns when the flux has performed everything so far.
  func finish() async {
    closeDay()
    _ = await Flask.performInFluxQueue {}.outcome
  }

  /// Both styles: a mix of two plain substances, then a global mixer for whichever substances react to it.
  private func mix(_ flight: Flight, _ line: Int) {
    if flight.date != openDay { closeDay() }
    openDay = flight.date
    Flask.mix(substances.journal, substances.records) { journal, records in
      if line > journal.lines {
        journal.flights += 1
        journal._openDay = flight.date
      }
      if line > records._lastLine {
        records._lastLine = line
        records.consider(flight)
      }
    }
    Flask.substances(reactTo: BoardMixers.FlightRead, payload: ["flight": flight, "line": line])
  }

  private func closeDay() {
    guard let date = openDay else { return }
    openDay = nil
    Flask.substances(reactTo: BoardMixers.DayClosed, payload: ["date": date])
  }

  private func mixJournal(_ line: Int, _ body: @escaping @Sendable (inout JournalState) -> Void) {
    substances.journal.mix { if line > $0.lines { body(&$0) } }
  }
}
