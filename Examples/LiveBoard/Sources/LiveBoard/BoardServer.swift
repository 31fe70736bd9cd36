package import FlaskActions
import FlaskInsight
import FlyingFox
import FlyingSocks
import Foundation

/// Serves a board: a page, its state and patches as server-sent events, and a place for requests.
package final class BoardServer: Sendable {
  package let port: UInt16
  let feed: BoardFeed
  private let server: HTTPServer
  private let tasks: [Task<Void, Never>]

  /// Listens from when this returns. Nobody else may mix the board until then.
  ///
  /// - Parameters:
  ///   - store: the board.
  ///   - dispatcher: to which requests are sent.
  ///   - port: 0 for any that is free.
  package init(_ store: BoardStore, dispatcher: FluxDispatcher, port: UInt16 = 0) async throws {
    let patches = store.patches().makeAsyncIterator()
    let feed = BoardFeed(store.state)
    self.feed = feed
    let following = Task { [patches] in
      var patches = patches
      while let patch = await patches.next() { await feed.append(patch) }
    }
    let handler = BoardHandler(feed: feed, dispatcher: dispatcher)
    let server = HTTPServer(
      config: .init(
        address: try .inet(ip4: "127.0.0.1", port: port),
        sharedRequestReplaySize: BoardHandler.largestRefusedBody,
        logger: .disabled
      ),
      handler: handler
    )
    self.server = server
    tasks = [following, Task { try? await server.run() }]
    try await server.waitUntilListening()
    guard case .ip4(_, let port) = await server.listeningAddress else { throw SocketError.unsupportedAddress }
    self.port = port
  }

  /// Ends all connections.
  package func stop() async {
    await server.stop()
    for task in tasks { task.cancel() }
  }
}

struct BoardHandler: HTTPHandler {
  static let largestBody = 4_096
  /// How long a body may be that is refused and still read to its end. A connection that is closed with bytes unread is
  /// reset, and the browser may lose the answer that says why.
  static let largestRefusedBody = 1_048_576

  let feed: BoardFeed
  let dispatcher: FluxDispatcher
  private let run = String(UInt64.random(in: .min ... .max), radix: 36)

  init(feed: BoardFeed, dispatcher: FluxDispatcher) {
    self.feed = feed
    self.dispatcher = dispatcher
  }

  func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    switch (request.method, request.path) {
    case (.GET, "/"): return file(PackageResources.index_html, "text/html; charset=utf-8")
    case (.GET, "/board.css"): return file(PackageResources.board_css, "text/css; charset=utf-8")
    case (.GET, "/board.js"): return file(PackageResources.board_js, "text/javascript; charset=utf-8")
    case (.GET, "/events"):
      let stream = BoardEventStream(visit: await BoardVisit(feed), known: known(request), run: run)
      return HTTPResponse(
        statusCode: .ok,
        headers: [.contentType: "text/event-stream; charset=utf-8", HTTPHeader("Cache-Control"): "no-store"],
        body: HTTPBodySequence(from: stream)
      )
    case (.POST, "/requests"): return try await perform(request)
    default: return HTTPResponse(statusCode: .notFound)
    }
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

  /// The version that a browser has which comes back, if it is one of this run.
  private func known(_ request: HTTPRequest) -> Int? {
    guard let last = request.headers[HTTPHeader("Last-Event-ID")] else { return nil }
    let parts = last.split(separator: "-", maxSplits: 1)
    return parts.count == 2 && parts[0] == run ? Int(parts[1]) : nil
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
    return HTTPResponse(statusCode: .noContent)
  }
}
