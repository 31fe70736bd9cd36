package import FlaskActions
package import FlaskEntities
package import FlaskSharing

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
  package var departures: Entities<Departure> = []
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

  /// - Parameter group: what it shares the board with other servers through.
  package init(in group: SharedGroup? = nil) {
    super.init(initialState: Board(), name: "board")
    if let group { share(in: group) }
    registerReducer(for: BoardAction.self) { board, action in
      func change(_ flight: String, _ body: (inout Departure) -> Void) throws {
        guard var departure = board.departures[id: flight] else { throw RefusedRequest() }
        body(&departure)
        board.departures[id: flight] = departure
      }
      switch action.request {
      case .add(let flight, let destination):
        guard board.departures.count < BoardStore.mostDepartures, !flight.isEmpty,
          board.departures[id: flight] == nil
        else { throw RefusedRequest() }
        board.departures.append(Departure(flight: flight, destination: destination))
      case .setGate(let flight, let gate): try change(flight) { $0.gate = gate }
      case .setStatus(let flight, let status): try change(flight) { $0.status = status }
      case .remove(let flight):
        guard board.departures.remove(id: flight) != nil else { throw RefusedRequest() }
      case .announce(let notice): board.notice = notice
      }
    }
  }
}
