import FlyingSocks
import Foundation

/// A browser as far as the board sees it: reads events, and remembers where it is.
actor BoardClient {
  struct Event: Equatable {
    var name = ""
    var id = ""
    var data = ""
    /// The number behind the name of the run.
    var version: Int { id.split(separator: "-").last.flatMap { Int($0) } ?? -1 }
  }

  private let socket: AsyncSocket
  private var buffer = ""

  init(port: UInt16, after id: String? = nil) async throws {
    socket = try await .connected(to: .inet(ip4: "127.0.0.1", port: port), timeout: 60)
    var request = "GET /events HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
    if let id { request += "Last-Event-ID: \(id)\r\n" }
    try await socket.write(Data((request + "\r\n").utf8))
  }

  /// The next event. The sizes of chunks stand on lines of their own, and are skipped with everything else that no event
  /// has.
  func next() async throws -> Event {
    while true {
      if let end = buffer.range(of: "\n\n") {
        var event = Event()
        for line in buffer[..<end.lowerBound].split(whereSeparator: \.isNewline) {
          if line.hasPrefix("event: ") { event.name = String(line.dropFirst(7)) }
          if line.hasPrefix("id: ") { event.id = String(line.dropFirst(4)) }
          if line.hasPrefix("data: ") { event.data = String(line.dropFirst(6)) }
        }
        buffer = String(buffer[end.upperBound...])
        return event
      }
      buffer += String(decoding: try await socket.read(atMost: 4_096), as: UTF8.self)
    }
  }

  /// Reads until an event has some data; all events up to it.
  func read(until isLast: (String) -> Bool) async throws -> [Event] {
    var events: [Event] = []
    repeat { events.append(try await next()) } while !isLast(events[events.count - 1].data)
    return events
  }

  /// Reads until so many departures were added: a change of the board is in one patch.
  func readAdditions(_ count: Int) async throws -> [Event] {
    var found = 0
    return try await read { data in
      found += data.components(separatedBy: #""op":"add""#).count - 1
      return found == count
    }
  }

  func close() { try? socket.close() }

  /// Sends a request, and gives the status of the answer.
  static func send(_ body: String, port: UInt16, _ headers: [String] = [], inChunks: Bool = false)
    async throws -> String
  {
    let socket = try await AsyncSocket.connected(to: .inet(ip4: "127.0.0.1", port: port))
    defer { try? socket.close() }
    let head =
      [
        "POST /requests HTTP/1.1", "Host: 127.0.0.1:\(port)", "Connection: close",
        inChunks ? "Transfer-Encoding: chunked" : "Content-Length: \(body.utf8.count)",
      ]
      + headers
    let size = String(body.utf8.count, radix: 16)
    let body = inChunks ? "\(size)\r\n\(body)\r\n0\r\n\r\n" : body
    try await socket.write(Data((head.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8))
    var answer: [UInt8] = []
    while !answer.contains(UInt8(ascii: "\r")) { answer += try await socket.read(atMost: 4_096) }
    return String(decoding: answer.prefix { $0 != UInt8(ascii: "\r") }.dropFirst(9), as: UTF8.self)
  }
}
