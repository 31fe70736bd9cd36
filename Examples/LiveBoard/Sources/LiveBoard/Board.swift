package import FlaskActions

/// A flight as the board shows it.
package struct Departure: Identifiable, Codable, Sendable, Hashable {
  package enum Status: String, Codable, Sendable { case scheduled, boarding, departed, cancelled }

  package let flight: String
  package var id: String { flight }
  package var destination: String
  package var gate: String?
  package var status = Status.scheduled
}

/// All that is on the board.
package struct Board: FlaskState, Codable, Hashable {
  package var departures: [Departure] = []
  package var notice = ""

  package init() {}
}

/// What a browser can ask for. On the wire: `{"add":{"flight":"LH 400","destination":"New York"}}`.
package enum BoardRequest: Codable, Sendable, Equatable {
  case add(flight: String, destination: String)
  case setGate(flight: String, gate: String?)
  case setStatus(flight: String, status: Departure.Status)
  case remove(flight: String)
  case announce(notice: String)
}

/// A request on its way to the board.
package struct BoardAction: FluxAction {
  package let request: BoardRequest
  package init(_ request: BoardRequest) { self.request = request }
}

/// A request that says something about a flight that is not there, or adds one that is.
struct RefusedRequest: Error {}

/// The board itself.
package final class BoardStore: FluxStore<Board>, @unchecked Sendable {
  package static let mostDepartures = 500

  package init() {
    super.init(initialState: Board())
    registerReducer(for: BoardAction.self) { board, action in
      func index(of flight: String) throws -> Int {
        guard let index = board.departures.firstIndex(where: { $0.flight == flight }) else {
          throw RefusedRequest()
        }
        return index
      }
      switch action.request {
      case .add(let flight, let destination):
        guard board.departures.count < BoardStore.mostDepartures, !flight.isEmpty,
          !board.departures.contains(where: { $0.flight == flight })
        else { throw RefusedRequest() }
        board.departures.append(Departure(flight: flight, destination: destination))
      case .setGate(let flight, let gate): board.departures[try index(of: flight)].gate = gate
      case .setStatus(let flight, let status): board.departures[try index(of: flight)].status = status
      case .remove(let flight): board.departures.remove(at: try index(of: flight))
      case .announce(let notice): board.notice = notice
      }
    }
  }
}
