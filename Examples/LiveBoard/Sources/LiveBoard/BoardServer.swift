package import FlaskActions
import FlaskFeed
package import FlaskSharing
import FlyingFox
import FlyingSocks
import Foundation

/// Serves a board: a page, its state and patches as server-sent events, and a place for requests.
package final class BoardServer: Sendable {
  package let port: UInt16
  let visits = BoardVisits()
  private let server: HTTPServer
  private let running: Task<Void, Never>

  /// Listens from when this returns.
  ///
  /// - Parameters:
  ///   - store: the board.
  ///   - dispatcher: to which requests are sent.
  ///   - group: if other servers share the board, that through which they do.
  ///   - port: 0 for any that is free.
  package init(
    _ store: BoardStore,
    dispatcher: FluxDispatcher,
    group: SharedGroup? = nil,
    port: UInt16 = 0
  ) async throws {
    let handler = BoardHandler(
      feed: StateFeed(of: store),
      boarding: BoardingStream(of: store),
      visits: visits,
      dispatcher: dispatcher,
      group: group
    )
    let server = HTTPServer(
      config: .init(
        address: try .inet(ip4: "127.0.0.1", port: port),
        sharedRequestReplaySize: BoardHandler.largestRefusedBody,
        logger: .disabled
      ),
      handler: handler
    )
    self.server = server
    running = Task { try? await server.run() }
    try await server.waitUntilListening()
    guard case .ip4(_, let port) = await server.listeningAddress else { throw SocketError.unsupportedAddress }
    self.port = port
  }

  /// Ends all connections.
  package func stop() async {
    await server.stop()
    running.cancel()
  }
}

struct BoardHandler: HTTPHandler {
  static let largestBody = 4_096
  /// How long a body may be that is refused and still read to its end. A connection that is closed with bytes unread is
  /// reset, and the browser may lose the answer that says why.
  static let largestRefusedBody = 1_048_576

  let feed: StateFeed<Board>
  let boarding: BoardingStream
  let visits: BoardVisits
  let dispatcher: FluxDispatcher
  let group: SharedGroup?

  func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    switch (request.method, request.path) {
    case (.GET, "/"): return file(PackageResources.index_html, "text/html; charset=utf-8")
    case (.GET, "/board.css"): return file(PackageResources.board_css, "text/css; charset=utf-8")
    case (.GET, "/board.js"): return file(PackageResources.board_js, "text/javascript; charset=utf-8")
    case (.GET, "/events"):
      let place = request.headers[HTTPHeader("Last-Event-ID")].flatMap { FeedPlace($0) }
      return events(BoardEventStream(feed: feed, visit: BoardVisit(visits), place: place))
    case (.GET, "/boarding"): return events(boarding)
    case (.POST, "/requests"): return try await perform(request)
    default: return HTTPResponse(statusCode: .notFound)
    }
  }

  private func events(_ stream: some AsyncBufferedSequence<UInt8> & Sendable) -> HTTPResponse {
    HTTPResponse(
      statusCode: .ok,
      headers: [.contentType: "text/event-stream; charset=utf-8", HTTPHeader("Cache-Control"): "no-store"],
      body: HTTPBodySequence(from: stream)
    )
  }

  private func file(_ bytes: [UInt8], _ mediaType: String) -> HTTPResponse {
    let policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:"
    return HTTPResponse(
      statusCode: .ok,
      headers: [
        .contentType: mediaType,
        // One value, with commas in none of its parts.
        HTTPHeader("Content-Security-Policy"): policy,
        HTTPHeader("X-Content-Type-Options"): "nosniff",
      ],
      body: Data(bytes)
    )
  }

  /// Reads a body that is refused, if it comes in chunks: what says how long it is, the server reads by itself.
  private func skip(_ body: HTTPBodySequence) async throws {
    guard body.count == nil else { return }
    var count = 0
    for try await chunk in body {
      count += chunk.count
      if count > BoardHandler.largestRefusedBody { return }
    }
  }

  private func perform(_ request: HTTPRequest) async throws -> HTTPResponse {
    if let origin = request.headers[HTTPHeader("Origin")], origin != "http://\(request.headers[.host] ?? "")"
    {
      return HTTPResponse(statusCode: .forbidden)
    }
    guard let count = request.bodySequence.count, count <= BoardHandler.largestBody else {
      try await skip(request.bodySequence)
      return HTTPResponse(statusCode: .payloadTooLarge, headers: HTTPHeaders([.connection: "close"]))
    }
    let body = try await request.bodyData
    guard let request = try? JSONDecoder().decode(BoardRequest.self, from: body) else {
      return HTTPResponse(statusCode: .badRequest)
    }
    if case .failed = await BoardAction(request).dispatch(with: dispatcher).outcome {
      return HTTPResponse(statusCode: .conflict)
    }
    // What is acknowledged is durable. Requests that come together share one transaction.
    do {
      try await group?.save(timeout: .seconds(5))
    } catch {
      // No refusal: browsers see the change, and it is saved later.
      return HTTPResponse(statusCode: .accepted)
    }
    return HTTPResponse(statusCode: .noContent)
  }
}
