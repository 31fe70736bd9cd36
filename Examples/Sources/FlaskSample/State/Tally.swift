import Flights

/// Counts of flights and of their delays.
struct Tally: Codable, Sendable, Equatable {
  /// From how many minutes on a departure is late; the limit of the US Department of Transportation.
  static let lateMinutes = 15

  var flights = 0
  var cancelled = 0
  var late = 0
  var delay = DelayTally()

  mutating func count(_ flight: Flight) {
    flights += 1
    if flight.isCancelled { cancelled += 1 }
    guard let minutes = flight.departureDelay else { return }
    if minutes >= Tally.lateMinutes { late += 1 }
    delay.count(minutes)
  }
}
