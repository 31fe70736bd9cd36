internal import FlyingFox
internal import FlyingSocks
internal import Foundation

/// Serves a feed on the loopback address, to whoever knows the token.
final class InspectorServer: Sendable {
  /// How many seconds an answer may take: a travel or a selection of a large recording takes many in a debug build.
  static let timeout: Double = 24 * 60 * 60

  /// The port that it listens on.
  let port: UInt16
  /// Where a browser finds it.
  var address: String { "http://127.0.0.1:\(port)/\(token)/" }

  private let token: String
  private let server: HTTPServer
  private let running: Task<Void, Never>

  /// Listens from when this returns.
  ///
  /// - Parameters:
  ///   - feed: what is served.
  ///   - port: 0 for any that is free.
  ///   - token: what the path begins with.
  ///   - traveller: who shows the past, if that can be done.
  ///   - timeout: how many seconds an answer may take.
  ///   - selection: makes a recording of the operations with some numbers; `nil` if there is nothing to make it of.
  init(
    _ feed: Feed,
    port: UInt16,
    token: String = Gate.makeToken(),
    timeout: Double = InspectorServer.timeout,
    traveller: Traveller? = nil,
    selection: RecordingSelection.Maker? = nil
  ) async throws {
    let configuration = HTTPServer.Configuration(
      address: try .inet(ip4: "127.0.0.1", port: port),
      timeout: timeout,
      sharedRequestReplaySize: 4_096,
      logger: .disabled
    )
    let handler = Handler(feed: feed, token: token, traveller: traveller, select: selection)
    let server = HTTPServer(config: configuration, handler: handler)
    let running = Task { do { try await server.run() } catch { handler.port.fail(error) } }
    self.port = try await handler.port.value(of: server)
    self.token = token
    self.server = server
    self.running = running
  }

  /// Ends all connections.
  func stop() async {
    await server.stop()
    running.cancel()
    await running.value
  }
}

/// The port, once it is known: the server chooses it.
private actor ListeningPort {
  private var port: UInt16?
  private var failure: (any Error)?

  var known: UInt16? { port }

  nonisolated func fail(_ error: any Error) { Task { await setFailure(error) } }

  private func setFailure(_ error: any Error) { failure = error }

  func value(of server: HTTPServer) async throws -> UInt16 {
    do { try await server.waitUntilListening() } catch { throw failure ?? error }
    guard case .ip4(_, let port) = await server.listeningAddress else {
      throw failure ?? SocketError.unsupportedAddress
    }
    self.port = port
    return port
  }
}

private struct Handler: HTTPHandler {
  let feed: Feed
  let token: String
  let traveller: Traveller?
  let select: RecordingSelection.Maker?
  let port = ListeningPort()

  func handleRequest(_ request: HTTPRequest) async -> HTTPResponse {
    guard let port = await port.known else { return Handler.plain(.serviceUnavailable) }
    switch Gate(token: token, port: port).answer(to: request) {
    case .foreign: return Handler.plain(.forbidden)
    case .unknown: return Handler.plain(.notFound)
    case .methodNotAllowed: return Handler.plain(.methodNotAllowed)
    case .welcome(let path): return await response(to: request, path)
    case .command(let path): return await perform(request, path)
    }
  }

  private func response(to request: HTTPRequest, _ path: String) async -> HTTPResponse {
    switch path {
    case "events": return await events(request)
    case "export.html":
      let html = OnePage.html(of: await feed.all)
      return Handler.response("text/html; charset=utf-8", Data(html.utf8), saveAs: "flask-inspector.html")
    case "selection.flask": return await selection(request)
    default:
      guard let file = PageFile(rawValue: path.isEmpty ? PageFile.index.rawValue : path) else {
        return Handler.plain(.notFound)
      }
      return Handler.response(file.mediaType, Data(file.bytes))
    }
  }

  /// The operations from one number to another, as a recording.
  private func selection(_ request: HTTPRequest) async -> HTTPResponse {
    guard let select, let first = Handler.number("from", request),
      let last = Handler.number("to", request), first <= last
    else { return Handler.plain(.notFound) }
    guard let data = try? await select(first...last) else { return Handler.plain(.internalServerError) }
    return Handler.response("application/octet-stream", data, saveAs: "selection.flask")
  }

  /// Shows the past, or the present again.
  private func perform(_ request: HTTPRequest, _ path: String) async -> HTTPResponse {
    guard let traveller, traveller.canTravel else { return Handler.plain(.notFound) }
    if path == "present" {
      await traveller.comeBack()
    } else {
      guard let number = Handler.number("to", request) else { return Handler.plain(.badRequest) }
      if let refusal = await traveller.go(to: number) {
        return Handler.response(
          "text/plain; charset=utf-8",
          Data(refusal.utf8),
          status: HTTPStatusCode(409, phrase: "Conflict")
        )
      }
    }
    // Another page may have asked for something else meanwhile: the page is told what is, not what it wanted.
    return Handler.response("application/json", Data(await traveller.moment.text.utf8))
  }

  private static func number(_ name: String, _ request: HTTPRequest) -> Int? {
    request.query.first { $0.name == name }.flatMap { Int($0.value) }
  }

  private func events(_ request: HTTPRequest) async -> HTTPResponse {
    guard let visit = await FeedVisit.begin(feed) else { return Handler.plain(.serviceUnavailable) }
    // A browser that comes back says what it has.
    let last = request.headers[HTTPHeader("Last-Event-ID")].flatMap { Int($0) }
    let start = last.map { FeedPlace(line: max(0, $0)) }
    return HTTPResponse(
      statusCode: .ok,
      headers: Handler.headers("text/event-stream; charset=utf-8"),
      body: HTTPBodySequence(from: EventStream(visit: visit, start: start))
    )
  }

  // MARK: Answers

  private static let policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
    + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"

  private static func headers(_ mediaType: String) -> HTTPHeaders {
    HTTPHeaders([
      .contentType: mediaType,
      HTTPHeader("Cache-Control"): "no-store",
      HTTPHeader("Content-Security-Policy"): policy,
      HTTPHeader("Cross-Origin-Opener-Policy"): "same-origin",
      HTTPHeader("Cross-Origin-Resource-Policy"): "same-origin",
      HTTPHeader("Referrer-Policy"): "no-referrer",
      HTTPHeader("X-Content-Type-Options"): "nosniff",
      HTTPHeader("X-Frame-Options"): "DENY",
    ])
  }

  private static func response(
    _ mediaType: String,
    _ body: Data,
    saveAs name: String? = nil,
    status: HTTPStatusCode = .ok
  ) -> HTTPResponse {
    var headers = headers(mediaType)
    if let name { headers[HTTPHeader("Content-Disposition")] = "attachment; filename=\"\(name)\"" }
    return HTTPResponse(statusCode: status, headers: headers, body: body)
  }

  private static func plain(_ status: HTTPStatusCode) -> HTTPResponse {
    HTTPResponse(
      statusCode: status,
      headers: headers("text/plain; charset=utf-8"),
      body: Data("\(status.phrase)\n".utf8)
    )
  }
}
