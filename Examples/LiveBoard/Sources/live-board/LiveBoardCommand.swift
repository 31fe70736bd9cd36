import FlaskActions
import FlaskCore
import FlaskPostgres
import FlaskSharing
import Foundation
import LiveBoard

/// `live-board [port [database]]`: serves a board until it is stopped. Servers with one database, such as
/// `postgresql://flask@127.0.0.1/board`, share the board.
@main
struct LiveBoardCommand {
  static func main() async throws {
    let arguments = CommandLine.arguments
    let port = arguments.count > 1 ? UInt16(arguments[1]) ?? 0 : 0
    let group = arguments.count > 2 ? SharedGroup("board", in: try PostgresStore(arguments[2])) : nil
    let store = BoardStore(in: group)
    try await group?.opened()
    let dispatcher = FluxDispatcher()
    dispatcher.register(workers: [store])
    let server = try await BoardServer(store, dispatcher: dispatcher, group: group, port: port)
    if store.state.departures.isEmpty {
      for (flight, destination) in [("LH 400", "New York"), ("BA 903", "London"), ("AF 1019", "Paris")] {
        // Another server may have added it meanwhile.
        _ = await BoardAction(.add(flight: flight, destination: destination)).dispatch(with: dispatcher)
          .outcome
      }
    }
    print("The board is at http://127.0.0.1:\(server.port)/")
    fflush(nil)
    while true { try await Task.sleep(for: .seconds(3_600)) }
  }
}
