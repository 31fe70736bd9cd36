import BenchmarkSink
import FlaskCore
import FlaskEntities
import FlaskScopes
import Observation
import OtherStores

/// W18: of 10,000 elements, and of 1,000,000, one changes, which is observed by its identity; beside it 1,000 scopes of
/// other elements are observed. The bound is a model of the standard library's observation, changed in place and tracked
/// again each time.
extension Workloads {
  static func largeCollections() -> [Case] {
    [
      Case("W18", "@Observable", fires: 1) { sink in
        let model = ObservableFlights(10_000)
        let tracker = Tracker(reading: { _ = model.flights[5_000].delay }, onChange: { sink.hear() })
        return { count in
          for _ in 0..<count {
            model.flights[5_000].delay &+= 1
            tracker.armAgain()
          }
        }
      },
      entities("10,000 elements", 10_000),
      entities("1,000,000 elements", 1_000_000),
    ]
  }

  private static func entities(_ name: String, _ size: Int) -> Case {
    Case("W18", name, fires: 1) { sink in
      let board = Substance(FlightBoard(flights: Entities(Flight.all(size))))
      var tokens: [SubstanceObservation] = []
      if let flight = board.scope(\.flights, id: size / 2) {
        tokens.append(flight.observe(\.delay) { sink.hear($0, $1) })
      }
      for other in 0..<1_000 {
        guard let flight = board.scope(\.flights, id: other * (size / 2_000)) else { continue }
        tokens.append(flight.observe(\.delay) { _, _ in sink.hear() })
      }
      return { [tokens] count in
        withExtendedLifetime(tokens) {
          for _ in 0..<count { board.mix { $0.flights[id: size / 2]?.delay &+= 1 } }
        }
      }
    }
  }
}

private struct Flight: Identifiable, Equatable, Sendable {
  let id: Int
  var number: String
  var delay = 0

  static func all(_ count: Int) -> [Flight] {
    (0..<count).map { Flight(id: $0, number: "a flight whose number lives on the heap \($0)") }
  }
}

private struct FlightBoard: Sendable {
  var flights: Entities<Flight>
}

@Observable
private final class ObservableFlights {
  var flights: [Flight]

  init(_ count: Int) { flights = Flight.all(count) }
}
