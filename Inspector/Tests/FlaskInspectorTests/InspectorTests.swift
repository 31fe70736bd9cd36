import FlaskCore
import FlaskInsight
import FlyingSocks
import Foundation
import Testing

@testable import FlaskInspector

private struct Pocket: FlaskState {
  var coins = 0
  var note = ""
  var key = Key(code: "hunter2-in-the-clear")
}

private struct Key: Redacted, Codable { var code: String }

@Suite struct InspectorTests {
  private func inspecting(
    redacting: [Redaction] = [],
    _ body: (Inspector, Substance<Pocket>, UInt16) async throws -> Void
  ) async throws {
    let flux = Flux()
    let pocket = Flux.$current.withValue(flux) { Substance(Pocket(), name: "pocket") }
    let inspector = try await Inspector.serve(
      showing: pocket,
      of: flux,
      redacting: redacting,
      budgets: .none,
      isAllowedInReleaseBuilds: true,
      announce: { _ in }
    )
    let port = try #require(URL(string: inspector.address)?.port)
    try await body(inspector, pocket, UInt16(port))
    await inspector.stop()
  }

  @Test func `an operation is in the page with its changes`() async throws {
    try await inspecting { inspector, pocket, _ in
      pocket.mix { $0.coins = 42 }
      let html = await inspector.html(with: #""n":1,"#)
      #expect(html.contains(#""d":[{"k":[["coins","0","42"]],"s":"pocket"}]"#))
      #expect(
        html.contains(#"{"k":[["coins","0"],["note","\"\""],["key.code",null,1]],"s":"pocket","t":"s"}"#)
      )
    }
  }

  @Test func `secrets are in no page`() async throws {
    try await inspecting(redacting: [.keyPath(\Pocket.note)]) { inspector, pocket, port in
      pocket.mix { pocket in
        pocket.key.code = "hunter3-in-the-clear"
        pocket.note = "iban-in-the-clear"
        pocket.coins = 7
      }
      let html = await inspector.html(with: #"["coins","0","7"]"#)
      #expect(!html.contains("in-the-clear"))
      let token = inspector.address.split(separator: "/").last ?? ""
      let client = try await Client(port: port)
      try await client.send("GET /\(token)/events HTTP/1.1", ["Host: 127.0.0.1:\(port)"])
      let events = try await client.read(until: #"["coins","0","7"]"#)
      #expect(!events.contains("in-the-clear"))
      try client.close()
    }
  }

  @Test func `two substances with one name have a row each`() async throws {
    let flux = Flux()
    let (first, second) = Flux.$current.withValue(flux) {
      (Substance(Pocket(), name: "pocket"), Substance(Pocket(), name: "pocket"))
    }
    let inspector = try await Inspector.serve(
      showing: first,
      second,
      of: flux,
      budgets: .none,
      isAllowedInReleaseBuilds: true,
      announce: { _ in }
    )
    second.mix { $0.coins = 2 }
    first.mix { $0.coins = 1 }
    let html = await inspector.html(with: #""n":2,"#)
    #expect(html.contains(#"],"s":"pocket","t":"s"}"#))
    #expect(html.contains(#"],"s":"pocket (2)","t":"s"}"#))
    #expect(html.contains(#""d":[{"k":[["coins","0","2"]],"s":"pocket (2)"}]"#))
    #expect(html.contains(#""d":[{"k":[["coins","0","1"]],"s":"pocket"}]"#))
    await inspector.stop()
  }

  @Test func `markup in a state does not end the element that holds it`() async throws {
    try await inspecting { inspector, pocket, _ in
      pocket.mix { $0.note = "</script><script>alert(1)</script><!--" }
      let html = await inspector.html(with: "alert(1)")
      #expect(!html.contains("<script>alert"))
      #expect(html.contains(#"\u003c/script\u003e\u003cscript\u003ealert(1)"#))
    }
  }

  @Test func `a fault is in the page, and told to whoever was told before`() async throws {
    let flux = Flux()
    let (faults, report) = AsyncStream.makeStream(of: FlaskFault.Kind.self)
    flux.onFault = { report.yield($0.kind) }
    let inspector = try await Inspector.serve(
      of: flux,
      budgets: .none,
      isAllowedInReleaseBuilds: true,
      announce: { _ in }
    )
    final class Owner: FlaskReactor, Sendable {
      func flaskReactions(reaction: FlaskReaction) {}
    }
    Flux.$current.withValue(flux) { Flask.detachReactor(from: Owner()) }
    let html = await inspector.html(with: #""t":"f""#)
    #expect(html.contains(#""k":"nothingToDetach""#))
    var iterator = faults.makeAsyncIterator()
    #expect(await iterator.next() == .nothingToDetach)
    await inspector.stop()
    Flux.$current.withValue(flux) { Flask.detachReactor(from: Owner()) }
    #expect(await iterator.next() == .nothingToDetach)
  }

  @Test func `a handler of faults that was set meanwhile stays when serving ends`() async throws {
    let flux = Flux()
    let inspector = try await Inspector.serve(
      of: flux,
      budgets: .none,
      isAllowedInReleaseBuilds: true,
      announce: { _ in }
    )
    let (faults, report) = AsyncStream.makeStream(of: FlaskFault.Kind.self)
    flux.onFault = { report.yield($0.kind) }
    await inspector.stop()
    final class Owner: FlaskReactor, Sendable {
      func flaskReactions(reaction: FlaskReaction) {}
    }
    Flux.$current.withValue(flux) { Flask.detachReactor(from: Owner()) }
    var iterator = faults.makeAsyncIterator()
    #expect(await iterator.next() == .nothingToDetach)
  }

  @Test func `it listens on the loopback address alone, below a token`() async throws {
    try await inspecting { inspector, _, port in
      #expect(inspector.address.hasPrefix("http://127.0.0.1:\(port)/"))
      #expect(inspector.address.count == "http://127.0.0.1:\(port)/".count + 33)
      // Another address of this machine, which is no loopback address of the server.
      await #expect(throws: (any Error).self) {
        _ = try await AsyncSocket.connected(to: .inet(ip4: "127.0.0.2", port: port))
      }
    }
  }

  @Test func `who serves need not be held: what goes beyond its budget is a fault all the same`() async throws
  {
    let flux = Flux()
    let pocket = Flux.$current.withValue(flux) { Substance(Pocket()) }
    let (kinds, report) = AsyncStream.makeStream(of: FlaskFault.Kind.self)
    flux.onFault = { report.yield($0.kind) }
    try await Inspector.serve(
      of: flux,
      budgets: Budgets(operation: .milliseconds(10), lock: nil, waiting: nil),
      isAllowedInReleaseBuilds: true,
      announce: { _ in }
    )
    pocket.mix {
      $0.coins = 5
      usleep(50_000)
    }
    #expect(await kinds.first { _ in true } == .overBudget)
  }

  @Test func `after it has stopped nothing goes beyond its budget`() async throws {
    let flux = Flux()
    let pocket = Flux.$current.withValue(flux) { Substance(Pocket()) }
    let (kinds, report) = AsyncStream.makeStream(of: FlaskFault.Kind.self)
    flux.onFault = { report.yield($0.kind) }
    let inspector = try await Inspector.serve(
      of: flux,
      budgets: Budgets(operation: .milliseconds(10), lock: nil, waiting: nil),
      isAllowedInReleaseBuilds: true,
      announce: { _ in }
    )
    await inspector.stop()
    pocket.mix {
      $0.coins = 5
      usleep(50_000)
    }
    report.finish()
    var found: [FlaskFault.Kind] = []
    for await kind in kinds { found.append(kind) }
    #expect(found == [])
    withExtendedLifetime(inspector) {}
  }

  @Test func `after it has stopped nobody is answered, and the flux is not traced`() async throws {
    let flux = Flux()
    let pocket = Flux.$current.withValue(flux) { Substance(Pocket()) }
    let inspector = try await Inspector.serve(
      of: flux,
      isAllowedInReleaseBuilds: true,
      announce: { _ in }
    )
    let port = try #require(URL(string: inspector.address)?.port)
    await inspector.stop()
    await inspector.stop()
    await #expect(throws: (any Error).self) { _ = try await Client.get("/", port: UInt16(port)) }
    pocket.mix { $0.coins = 5 }
    #expect(await !inspector.html().contains(#""5""#))
  }
}
