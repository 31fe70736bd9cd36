import FlyingSocks
import Foundation
import Testing

@testable import FlaskInspector

/// A client that says what it is told to say, byte by byte.
struct Client {
  private let socket: AsyncSocket

  init(port: UInt16) async throws { socket = try await .connected(to: .inet(ip4: "127.0.0.1", port: port)) }

  /// Sends a request with the headers as they are.
  func send(_ line: String, _ headers: [String]) async throws {
    try await socket.write(Data((([line] + headers).joined(separator: "\r\n") + "\r\n\r\n").utf8))
  }

  /// Reads until what has come contains a text, or all there is.
  func read(until text: String) async throws -> String {
    var bytes: [UInt8] = []
    let end = Array(text.utf8)
    while true {
      do { bytes += try await socket.read(atMost: 4_096) } catch SocketError.disconnected { break }
      // Only what is new, and what may have been cut.
      let tail = bytes.suffix(4_096 + end.count)
      if tail.count >= end.count, String(decoding: tail, as: UTF8.self).contains(text) { break }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  func close() throws { try socket.close() }

  /// The status of one request, and everything that was answered.
  static func get(
    _ path: String,
    port: UInt16,
    host: String? = nil,
    _ headers: [String] = [],
    method: String = "GET"
  )
    async throws -> (status: String, text: String)
  {
    let client = try await Client(port: port)
    defer { try? client.close() }
    let host = host ?? "127.0.0.1:\(port)"
    try await client.send("\(method) \(path) HTTP/1.1", ["Host: \(host)", "Connection: close"] + headers)
    let text = try await client.read(until: "never")
    return (String(text.prefix { $0 != "\r\n" }.dropFirst("HTTP/1.1 ".count)), text)
  }

  // MARK: As the page of an inspector

  /// The page, which is open until it is closed: it reads what comes.
  static func looking(at inspector: Inspector) async throws -> Client {
    let (path, port) = try place(of: inspector)
    let client = try await Client(port: port)
    try await client.send("GET \(path)events HTTP/1.1", ["Host: 127.0.0.1:\(port)"])
    _ = try await client.read(until: "event: lines")
    return client
  }

  static func get(_ name: String, of inspector: Inspector) async throws -> (status: String, text: String) {
    let (path, port) = try place(of: inspector)
    return try await get(path + name, port: port)
  }

  static func post(_ name: String, to inspector: Inspector) async throws -> (status: String, text: String) {
    let (path, port) = try place(of: inspector)
    let headers = ["Origin: http://127.0.0.1:\(port)", "Content-Length: 0"]
    return try await get(path + name, port: port, headers, method: "POST")
  }

  private static func place(of inspector: Inspector) throws -> (path: String, port: UInt16) {
    let url = try #require(URL(string: inspector.address))
    return (url.path(), UInt16(try #require(url.port)))
  }
}
