import Flask
import Flights

/// The days: reacts to the same flights as `Board`, in the same operation, and to the end of a day besides.
final class Days: ReactiveSubstance<DaysState, BoardMixers>, @unchecked Sendable {
  override func defineMixers() {
    define(mix: .FlightRead) { payload, react, abort in
      guard let flight = payload?["flight"] as? Flight, let line = payload?["line"] as? Int else {
        return abort()
      }
      guard line > self.prop._lastLine else { return react() }
      self.prop._lastLine = line
      self.prop.days[flight.date, default: Tally()].count(flight)
      react()
    }
    define(mix: .DayClosed) { payload, react, abort in
      guard let date = payload?["date"] as? String, let tally = self.prop.days[date] else { return abort() }
      self.prop.lastClosed = ClosedDay(date: date, tally: tally)
      react()
    }
  }
}
