import Flask
import Flights

/// Takes lines, one by one, and mixes what they say into the substances. Asks and prints nothing.
@MainActor
final class Departures {
  private let substances: Substances
  private var openDay: String?

  init(_ substances: Substances) {
    self.substances = substances
    openDay = substances.journal.state._openDay
    _ = Flask.reactor(attachedTo: self, mixing: [substances.journal, substances.records])
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

  /// Both styles: a chain over two plain substances, then a global mixer for whichever substances react to it.
  private func mix(_ flight: Flight, _ line: Int) {
    if flight.date != openDay { closeDay() }
    openDay = flight.date
    Flask.getReactor(attachedTo: self)
      .mixing(substances.journal) {
        guard line > $0.prop.lines else { return }
        $0.prop.flights += 1
        $0.prop._openDay = flight.date
      }
      .with(substances.records) {
        guard line > $0.prop._lastLine else { return }
        $0.prop._lastLine = line
        $0.prop.consider(flight)
      }
      .andReact()
    Flask.substances(reactTo: BoardMixers.FlightRead, payload: ["flight": flight, "line": line])
  }

  private func closeDay() {
    guard let date = openDay else { return }
    openDay = nil
    Flask.substances(reactTo: BoardMixers.DayClosed, payload: ["date": date])
  }

  private func mixJournal(_ line: Int, _ body: @escaping @Sendable (inout JournalState) -> Void) {
    Flask.getReactor(attachedTo: self)
      .mixing(substances.journal) { if line > $0.prop.lines { body(&$0.prop) } }
      .andReact()
  }
}
