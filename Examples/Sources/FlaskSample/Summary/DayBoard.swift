import Flask
import Flights

/// The flights on the board, by the airport that they leave, the latest first.
///
/// The views are kept up to date while flights come in, at the cost of those alone.
struct DayBoard {
  private static let mostOfAnAirport = 3

  private let airports: SectionedView<String, Departure>
  private let airlines: Airlines

  init(_ substances: Substances) {
    airports = substances.board.view(\.flights)
      .filter { $0.flight.departureDelay != nil }
      .sorted(.descending) { $0.flight.departureDelay ?? 0 }
      .sections { $0.flight.origin }
    airlines = substances.airlines
  }

  /// The lines, in order.
  var lines: [String] {
    airports.flatMap { airport in
      ["\(airport.id), the latest of \(airport.rows.count)"]
        + airport.rows.prefix(Self.mostOfAnAirport).map { departure in
          "  \(departure.flight.departureDelay ?? 0) min, \(Wording.describe(departure.flight, airlines))"
        }
    }
  }
}
