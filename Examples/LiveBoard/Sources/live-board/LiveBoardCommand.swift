import FlaskActions
import FlaskCore
import Foundation
import LiveBoard

/// `live-board [port]`: serves a board until it is stopped.
@main
struct LiveBoardCommand {
  static func main() async throws {
    let store = BoardStore()
    let dispatcher = FluxDispatcher()
    dispatcher.register(workers: [store])
    let port = CommandLine.arguments.dropFirst().first.flatMap { UInt16($0) } ?? 0
    let server = try await BoardServer(store, dispatcher: dispatcher, port: port)
    for (flight, destination) in [("LH 400", "New York"), ("BA 903", "London"), ("AF 1019", "Paris")] {
      BoardAction(.add(flight: flight, destination: destination)).dispatch(with: dispatcher)
    }
    print("The board is at http://127.0.0.1:\(server.port)/")
    fflush(nil)
    while true { try await Task.sleep(for: .seconds(3_600)) }
  }
}
