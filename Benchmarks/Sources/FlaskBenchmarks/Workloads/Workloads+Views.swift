import BenchmarkSink
import FlaskCore
import FlaskEntities
import FlaskScopes
import FlaskViews

/// W25 to W27: of 1,000, of 100,000 and of 1,000,000 elements one changes, which a view shows that is filtered, sorted and
/// in sections, with an observer; a parameter of a filter changes; a sum is observed. The bounds: W18 with as many
/// elements, and filtering and sorting by hand.
extension Workloads {
  static func oneOfAView() -> [Case] {
    [1_000, 100_000, 1_000_000].flatMap { size in
      [
        scopes("W25", "scopes, \(size)", size),
        Case("W25", "view, \(size)", fires: 1) { sink in
          let board = departures(size)
          let view = board.view(\.flights).filter { !$0.isGone }.sorted { $0.delay }.sections { $0.airport }
          let token = view.observe { _ in sink.hear() }
          return changing(board, [token], size)
        },
        Case("W25", "view, another key, \(size)", fires: 1) { sink in
          let board = departures(size)
          let view = board.view(\.flights).filter { !$0.isGone }.sorted { $0.gate }.sections { $0.airport }
          let token = view.observe { _ in sink.hear() }
          return changing(board, [token], size)
        },
      ]
    } + [
      Case("W25", "Derived, 1000", fires: 1) { sink in
        let board = departures(1_000)
        let derived = Derived { sectionsByHand(board.flights) }
        let token = derived.observe { _, _ in sink.hear() }
        return changing(board, [token], 1_000)
      },
      Case("W25", "hand, 1000", fires: 1) { sink in
        let board = departures(1_000)
        let token = board.observe(\.flights) { _, new in
          if sectionsByHand(new).count > 0 { sink.hear() }
        }
        return changing(board, [token], 1_000)
      },
    ]
  }

  static func parameterOfAView() -> [Case] {
    [1_000, 100_000].flatMap { size in
      [
        Case("W26", "hand, \(size)", fires: 1) { sink in
          let board = departures(size)
          return turning(board) { gate in
            let shown = board.flights.filter { $0.gate != gate }.sorted { $0.delay < $1.delay }
            if shown.count > 0 { sink.hear() }
          }
        },
        Case("W26", "view, \(size)", fires: 1) { sink in
          let board = departures(size)
          let view = board.view(\.flights).filter(with: { board.gate }) { $0.gate != $1 }.sorted { $0.delay }
          return turning(board) { _ in
            if view.count > 0 { sink.hear() }
          }
        },
      ]
    }
  }

  static func sumOfAView() -> [Case] {
    [1_000, 100_000, 1_000_000].flatMap { size in
      [
        scopes("W27", "scopes, \(size)", size),
        Case("W27", "sum, \(size)", fires: 1) { sink in
          let board = departures(size)
          let sum = board.view(\.flights).sum { $0.delay }
          let token = sum.observe { sink.hear($0, $1) }
          return changing(board, [token], size)
        },
      ]
    }
  }

  private static func departures(_ size: Int) -> Substance<Departures> {
    Substance(Departures(flights: Entities(Departure.all(size))))
  }

  private static func sectionsByHand(_ flights: Entities<Departure>) -> [[Departure]] {
    Dictionary(grouping: flights.filter { !$0.isGone }.sorted { $0.delay < $1.delay }, by: \.airport)
      .sorted { $0.key < $1.key }.map(\.value)
  }

  private static func scopes(_ workload: String, _ name: String, _ size: Int) -> Case {
    Case(workload, name, fires: 1) { sink in
      let board = departures(size)
      var tokens: [SubstanceObservation] = []
      if let flight = board.scope(\.flights, id: size / 2) {
        tokens.append(flight.observe(\.delay) { sink.hear($0, $1) })
      }
      for other in 0..<min(size / 2, 1_000) {
        guard let flight = board.scope(\.flights, id: other * (size / 2) / 1_000) else { continue }
        tokens.append(flight.observe(\.delay) { _, _ in sink.hear() })
      }
      return changing(board, tokens, size)
    }
  }

  /// One element changes back and forth, so that it moves in its section.
  private static func changing(
    _ board: Substance<Departures>,
    _ tokens: [SubstanceObservation],
    _ size: Int
  ) -> (Int) -> Void {
    { count in
      withExtendedLifetime(tokens) {
        for round in 0..<count { board.mix { $0.flights[id: size / 2]?.delay = round & 1 == 0 ? 7 : 900 } }
      }
    }
  }

  private static func turning(_ board: Substance<Departures>, _ read: @escaping (Int) -> Void) -> (Int) ->
    Void
  {
    { count in
      for round in 0..<count {
        board.mix { $0.gate = round & 7 }
        read(round & 7)
      }
    }
  }
}

private struct Departure: Identifiable, Equatable, Sendable {
  let id: Int
  var number: String
  var airport: Int
  var gate: Int
  var delay: Int
  var isGone = false

  static func all(_ count: Int) -> [Departure] {
    (0..<count).map {
      Departure(
        id: $0,
        number: "a flight whose number lives on the heap \($0)",
        airport: $0 % 50,
        gate: $0 % 8,
        delay: $0 &* 7919 % 1_000
      )
    }
  }
}

private struct Departures: Sendable {
  var flights: Entities<Departure>
  var gate = 0
}
