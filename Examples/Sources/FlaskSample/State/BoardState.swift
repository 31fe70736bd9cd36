import Flask
import Flights

/// Airport → carrier → counts and delays; and the flights of the day that is read.
///
/// Every level is a key that can be listened to: `total`, `airports.JFK`, `airports.JFK.total.cancelled`,
/// `airports.JFK.carriers.UA.delay.worst`, `flights.17.flight.departure`.
struct BoardState: State {
  enum prop: StateProp { case total, airports, flights }

  var total = Tally()
  var airports: [String: Airport] = [:]

  /// The flights of one day, by the lines that they were read from: thousands may come, and each is told by itself.
  var flights: Entities<Departure> = []

  /// The last line that was counted.
  var _lastLine = 0

  /// Counts a flight, and puts it on the board. The flights of another day leave that.
  mutating func count(_ flight: Flight, line: Int) {
    _lastLine = line
    total.count(flight)
    airports[flight.origin, default: Airport()].count(flight)
    if flights.last?.flight.date != flight.date { flights.removeAll() }
    flights.append(Departure(id: line, flight: flight))
  }
}

/// A flight on the board.
struct Departure: Codable, Identifiable, Sendable, Equatable {
  /// The line that it was read from.
  let id: Int
  let flight: Flight
}
