import Flask
import Flights

/// The board itself: a reactive substance, fed by global mixers.
final class Board: ReactiveSubstance<BoardState, BoardMixers>, @unchecked Sendable {
  override func defineMixers() {
    define(mix: .FlightRead) { payload, react, abort in
      guard let flight = payload?["flight"] as? Flight, let line = payload?["line"] as? Int else {
        return abort()
      }
      guard line > self.prop._lastLine else { return react() }
      self.prop.count(flight, line: line)
      react()
    }
  }
}
