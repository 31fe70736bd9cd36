import FlyingFox
import Foundation
import Testing

@testable import FlaskInspector

@Suite struct GateTests {
  private func serving(_ body: (UInt16) async throws -> Void) async throws {
    let server = try await InspectorServer(Feed(capacity: 10), port: 0, token: "secret")
    try await body(server.port)
    await server.stop()
  }

  @Test func `who knows the token gets the page`() async throws {
    try await serving { port in
      let answer = try await Client.get("/secret/", port: port)
      #expect(answer.status == "200 OK")
      #expect(answer.text.contains("<title>Flask inspector</title>"))
      #expect(answer.text.contains("script-src 'self'"))
      #expect(answer.text.contains("require-trusted-types-for 'script'"))
      #expect(answer.text.contains("Cache-Control: no-store"))
    }
  }

  @Test(arguments: PageFile.allCases.map(\.rawValue))
  func `each file of the page is served`(_ name: String) async throws {
    try await serving { port in
      let answer = try await Client.get("/secret/\(name)", port: port)
      #expect(answer.status == "200 OK")
    }
  }

  @Test(arguments: [
    "/", "", "/secret", "/secreT/", "/secre/", "/secret1/", "//", "/wrong/../secret/", "/%73ecret/",
    "/wrong/events",
    "/wrong/export.html", "/events", "/secret/nothing", "/secret/../Package.swift",
    "http://127.0.0.1/secret/",
  ])
  func `a wrong token or path gets nothing`(_ path: String) async throws {
    try await serving { port in
      // An empty path is no request at all, and is not answered.
      let answer = try await Client.get(path, port: port)
      #expect(answer.status == (path.isEmpty ? "" : "404 Not Found"))
      #expect(!answer.text.contains("<html"))
    }
  }

  @Test(arguments: [
    "evil.example", "evil.example:80", "127.0.0.1", "127.0.0.1:1", "localhost", "0.0.0.0", "",
  ])
  func `a foreign host gets nothing, whatever it knows`(_ host: String) async throws {
    try await serving { port in
      for path in ["/secret/", "/secret/events", "/wrong/"] {
        let answer = try await Client.get(path, port: port, host: host)
        #expect(answer.status == "403 Forbidden")
      }
    }
  }

  @Test func `localhost with the port is the address, too`() async throws {
    try await serving { port in
      let answer = try await Client.get("/secret/", port: port, host: "localhost:\(port)")
      #expect(answer.status == "200 OK")
    }
  }

  @Test(arguments: ["http://evil.example", "null", "https://127.0.0.1", "http://localhost:1"])
  func `a foreign origin gets nothing`(_ origin: String) async throws {
    try await serving { port in
      let answer = try await Client.get("/secret/", port: port, ["Origin: \(origin)"])
      #expect(answer.status == "403 Forbidden")
    }
  }

  @Test func `the page's own origin gets what it asks for`() async throws {
    try await serving { port in
      let headers = ["Origin: http://127.0.0.1:\(port)", "Sec-Fetch-Site: same-origin"]
      let answer = try await Client.get("/secret/", port: port, headers)
      #expect(answer.status == "200 OK")
    }
  }

  @Test(arguments: ["cross-site", "same-site"])
  func `what another site makes a browser ask for is refused`(_ site: String) async throws {
    try await serving { port in
      let answer = try await Client.get("/secret/", port: port, ["Sec-Fetch-Site: \(site)"])
      #expect(answer.status == "403 Forbidden")
    }
  }

  @Test(arguments: ["POST", "PUT", "DELETE", "HEAD", "OPTIONS"])
  func `nothing can be asked for but by GET`(_ method: String) async throws {
    try await serving { port in
      let answer = try await Client.get("/secret/", port: port, method: method)
      #expect(answer.status == "405 Method Not Allowed")
    }
  }

  @Test func `tokens are 32 digits, each time others`() {
    let tokens = (0..<100).map { _ in Gate.makeToken() }
    #expect(Set(tokens).count == 100)
    for token in tokens { #expect(token.count == 32 && token.allSatisfy(\.isHexDigit)) }
  }

  @Test func `texts are equal only if all of them is`() {
    #expect(Gate.isEqual("abc", "abc"))
    for other in ["", "a", "ab", "abd", "abcd", "abcabc", "Abc"] { #expect(!Gate.isEqual(other, "abc")) }
  }
}
