import Flask
import FlaskInsight
import Flights
import Foundation
import Testing

@testable import FlaskSample

@MainActor
struct PlaybackTests {
  @Test func `A recorded run, performed again, has the same summary`() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "run-\(UUID().uuidString).flask")
    defer { try? FileManager.default.removeItem(at: file) }
    let substances = try await Flux.$current.withValue(Flux()) {
      let substances = Substances()
      let recorder = try Recorder(to: file, beginningWith: substances.all)
      let departures = Departures(substances)
      let days = ["2013-01-01", "2013-01-01", "2013-01-02"]
      for (index, day) in days.enumerated() {
        let flight = Sample.flight(date: day, number: index, delay: index * 10)
        departures.mix(FlightLine(number: index + 1, content: .flight(flight)))
      }
      departures.mix(FlightLine(number: 4, content: .bad(.missing("date"))))
      await departures.finish()
      await recorder.stop()
      return substances
    }
    let recording = try Recording(contentsOf: file)
    var again: Substances?
    let report = try await recording.replay(payloads: [Flight.self]) {
      let fresh = Substances()
      again = fresh
      return fresh.all
    }
    #expect(report.difference == nil)
    // A mixer for each flight and each day; the mixes of the journal are closures.
    #expect(report.performed == 5)
    #expect(report.applied == 4)
    let made = try #require(again)
    #expect(Summary(made).lines == Summary(substances).lines)
  }
}
