import Flask
import FlaskTesting
import Flights
import Foundation
import Testing

@testable import FlaskSample

@MainActor
struct AirlineLoaderTests {
  @Test func `Flights wait in the flux until the airlines have names`() async {
    await withTestFlux { test in
      let substances = Substances()
      let loader = AirlineLoader(airlines: substances.airlines, file: Resource.airlines)
      let departures = Departures(substances)
      await test.expect(changing: substances.airlines) {
        $0.isLoading = true
      } by: {
        loader.start()
        // Changes nothing: it waits for the lock.
        departures.mix(FlightLine(number: 1, content: .flight(Sample.flight())))
      }
      test.exhaustivity = .off
      await departures.finish()
      #expect(substances.airlines.label("UA") == "United Air Lines Inc. (UA)")
      #expect(substances.board.state.total.flights == 1)
    }
  }

  @Test func `A file that is not there releases the flux, and says so`() async {
    await withTestFlux { test in
      let substances = Substances()
      let loader = AirlineLoader(airlines: substances.airlines, file: URL(filePath: "/absent/airlines.csv"))
      let departures = Departures(substances)
      await test.expect(changing: substances.airlines) {
        $0.isLoading = true
      } by: {
        loader.start()
      }
      test.exhaustivity = .off
      await departures.finish()
      #expect(substances.airlines.state.failure != nil)
      #expect(substances.airlines.label("UA") == "UA")
      #expect(test.flux.locks == [])
    }
  }
}
