import Flask
import Flights
import Testing

@testable import FlaskSample

@MainActor
struct DeparturesTests {
  @Test func `Flights are counted by airport and carrier`() async {
    let substances = await mix([
      Sample.flight(delay: 20), Sample.flight(delay: -5), Sample.flight(carrier: "AA"),
      Sample.flight(origin: "JFK", delay: 15),
    ])
    let board = substances.board.state
    #expect(board.total.flights == 4)
    #expect(board.airports["EWR"]?.total.flights == 3)
    #expect(board.airports["EWR"]?.total.cancelled == 1)
    #expect(board.airports["EWR"]?.carriers["AA"]?.cancelled == 1)
    #expect(board.airports["EWR"]?.carriers["UA"]?.late == 1)
    #expect(board.airports["EWR"]?.carriers["UA"]?.delay.mean == 7.5)
    #expect(board.airports["JFK"]?.carriers["UA"]?.delay.worst == 15)
  }

  @Test func `The flights of the day are on the board, by their lines`() async {
    let substances = await mix([
      Sample.flight(number: 1), Sample.flight(number: 2, delay: 5),
      Sample.flight(date: "2013-01-02", number: 3), Sample.flight(date: "2013-01-02", number: 4),
    ])
    let flights = substances.board.state.flights
    #expect(flights.map(\.id) == [3, 4])
    #expect(flights[id: 4]?.flight.flight == 4)
  }

  @Test func `One flight more is one element more to those who observe the board`() async {
    await Flux.$current.withValue(Flux()) {
      let substances = Substances()
      let departures = Departures(substances)
      for line in 1...2 { departures.mix(FlightLine(number: line, content: .flight(Sample.flight()))) }
      var insertions: [Int] = []
      var rest = 0
      let token = substances.board.observe(elements: \.flights) { change in
        insertions += change.insertions.map(\.element.id)
        rest += change.removals.count + change.moves.count + change.updates.count
      }
      departures.mix(FlightLine(number: 3, content: .flight(Sample.flight(number: 3))))
      await departures.finish()
      #expect(insertions == [3])
      #expect(rest == 0)
      token.cancel()
    }
  }

  @Test func `Days add up, a day that comes back included`() async {
    let dates = ["2013-01-01", "2013-01-02", "2013-01-01"]
    let substances = await mix(dates.map { Sample.flight(date: $0) })
    #expect(substances.days.state.days.mapValues(\.flights) == ["2013-01-01": 2, "2013-01-02": 1])
    #expect(substances.days.state.lastClosed?.date == "2013-01-01")
    #expect(substances.days.state.lastClosed?.tally.flights == 2)
  }

  @Test func `Of two equal delays the first one is the record`() async {
    let substances = await mix([
      Sample.flight(number: 1, delay: 9), Sample.flight(number: 2, delay: 30),
      Sample.flight(number: 3, delay: 30),
    ])
    #expect(substances.records.state.worst?.flight == 2)
  }

  @Test func `Every line is a flight, blank or bad`() async {
    let substances = await mix(
      lines: [
        FlightLine(number: 1, content: .flight(Sample.flight())), FlightLine(number: 2, content: .blank),
        FlightLine(number: 3, content: .bad(.missing("date"))),
      ]
    )
    let journal = substances.journal.state
    #expect([journal.flights, journal.blank, journal.bad, journal.lines] == [1, 1, 1, 3])
    #expect(journal.lastBad == BadLine(number: 3, reason: "`date` is missing"))
  }

  @Test func `Flights that come while the flux is paused are mixed after it`() async {
    let flux = Flux()
    await Flux.$current.withValue(flux) {
      let substances = Substances()
      let departures = Departures(substances)
      let lock = Flask.lock()
      departures.mix(FlightLine(number: 1, content: .flight(Sample.flight())))
      #expect(substances.board.state.total.flights == 0)
      #expect(substances.journal.state.flights == 0)
      lock.release()
      await departures.finish()
      #expect(substances.board.state.total.flights == 1)
      #expect(substances.journal.state.flights == 1)
    }
  }

  private func mix(_ flights: [Flight]) async -> Substances {
    await mix(lines: flights.enumerated().map { FlightLine(number: $0 + 1, content: .flight($1)) })
  }

  private func mix(lines: [FlightLine]) async -> Substances {
    await Flux.$current.withValue(Flux()) {
      let substances = Substances()
      let departures = Departures(substances)
      for line in lines { departures.mix(line) }
      await departures.finish()
      return substances
    }
  }
}
