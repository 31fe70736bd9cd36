import Flights

/// What leaves one airport: in all, and by the code of the airline.
struct Airport: Codable, Sendable, Equatable {
  var total = Tally()
  var carriers: [String: Tally] = [:]

  mutating func count(_ flight: Flight) {
    total.count(flight)
    carriers[flight.carrier, default: Tally()].count(flight)
  }
}
