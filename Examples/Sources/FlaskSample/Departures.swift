import Flask
import Flights

/// Takes lines, one by one, and mixes what they say into the substances. Asks and prints nothing.
@MainActor
final class Departures {
  private let substances: Substances
  private var openDay: String?

  init(_ substances: Substances) {
    self.substances = substances
    _ = Flask.reactor(attachedTo: self, mixing: [substances.journal, substances.records])
  }

  func mix(_ line: FlightLine) {
    switch line.content {
    case .flight(let flight): mix(flight)
    case .blank: mixJournal { $0.blank += 1 }
    case .bad(let error):
      let bad = BadLine(number: line.number, reason: "\(error)")
      mixJournal {
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
  private func mix(_ flight: Flight) {
    if flight.date != openDay { closeDay() }
    openDay = flight.date
    Flask.getReactor(attachedTo: self)
      .mixing(substances.journal) { $0.prop.flights += 1 }
      .with(substances.records) { $0.prop.consider(flight) }
      .andReact()
    Flask.substances(reactTo: BoardMixers.FlightRead, payload: ["flight": flight])
  }

  private func closeDay() {
    guard let date = openDay else { return }
    openDay = nil
    Flask.substances(reactTo: BoardMixers.DayClosed, payload: ["date": date])
  }

  private func mixJournal(_ body: @escaping @Sendable (inout JournalState) -> Void) {
    Flask.getReactor(attachedTo: self).mixing(substances.journal) { body(&$0.prop) }.andReact()
  }
}
