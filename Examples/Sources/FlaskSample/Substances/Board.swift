import Flask
import Flights

/// The board itself: a reactive substance, fed by global mixers.
final class Board: ReactiveSubstance<BoardState, BoardMixers>, @unchecked Sendable {
  override func defineMixers() {
    define(mix: .FlightRead) { payload, react, abort in
      guard let flight = payload?["flight"] as? Flight else { return abort() }
      self.prop.total.count(flight)
      self.prop.airports[flight.origin, default: Airport()].count(flight)
      react()
    }
  }
}
