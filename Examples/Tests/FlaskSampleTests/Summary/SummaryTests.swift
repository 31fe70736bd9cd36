import Flask
import Flights
import Testing

@testable import FlaskSample

@MainActor
struct SummaryTests {
  @Test func `The summary shows airports, airlines by their name, days, the record and the lines`() async {
    let substances = await Flux.$current.withValue(Flux()) {
      let substances = Substances()
      Flask.substances(reactTo: AirlineMixers.Loaded, payload: ["names": ["UA": "United Air Lines Inc."]])
      let departures = Departures(substances)
      let flights = [
        Sample.flight(delay: 20), Sample.flight(carrier: "AA"), Sample.flight(number: 7, delay: 5),
      ]
      for (index, flight) in flights.enumerated() {
        departures.mix(FlightLine(number: index + 1, content: .flight(flight)))
      }
      await departures.finish()
      return substances
    }
    #expect(
      Summary(substances).lines.joined(separator: "\n") == """
        airport and airline           flights  cancelled  late  mean delay  worst delay
        EWR                                 3          1     1        12.5           20
          United Air Lines Inc. (UA)        2          0     1        12.5           20
          AA                                1          1     0           -            -
        all airports                        3          1     1        12.5           20

        day         flights  cancelled  late  mean delay  worst delay
        2013-01-01        3          1     1        12.5           20

        worst delay: 20 min, 2013-01-01 05:15 EWR → IAH, United Air Lines Inc. (UA) 1
        lines read: 3 (3 flights, 0 blank, 0 bad)
        """
    )
  }

  @Test func `Without a flight there is nothing but the lines`() {
    Flux.$current.withValue(Flux()) {
      #expect(Summary(Substances()).lines == ["lines read: 0 (0 flights, 0 blank, 0 bad)"])
    }
  }
}
