import Flask
import Flights

/// The flight that left the latest so far.
struct RecordsState: State {
  enum prop: StateProp { case worst }

  var worst: Flight?

  /// The last line that was counted.
  var _lastLine = 0

  /// Remembers `flight` if it beats the record; of two with the same delay, the first one counts.
  mutating func consider(_ flight: Flight) {
    guard let minutes = flight.departureDelay else { return }
    if let record = worst?.departureDelay, record >= minutes { return }
    worst = flight
  }
}
