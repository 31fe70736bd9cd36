import FlaskActions
import FlaskCore
import FlaskEntities
import FlyingSocks
import Foundation
import Testing

@testable import LiveBoard

/// A board with its server, in a flux of its own.
private func serving(_ body: (BoardStore, FluxDispatcher, BoardServer) async throws -> Void) async throws {
  let flux = Flux()
  let (store, dispatcher) = Flux.$current.withValue(flux) { (BoardStore(), FluxDispatcher()) }
  dispatcher.register(workers: [store])
  let server = try await BoardServer(store, dispatcher: dispatcher)
  try await body(store, dispatcher, server)
  await server.stop()
}

private func add(_ number: Int) -> BoardAction {
  BoardAction(.add(flight: "F \(number)", destination: "Somewhere"))
}

@Suite(.serialized) struct BoardServerTests {
  @Test func `a browser gets the state once, and then patches`() async throws {
    try await serving { _, dispatcher, server in
      await add(1).dispatch(with: dispatcher).finished
      let client = try await BoardClient(port: server.port)
      let state = try await client.next()
      #expect(state.name == "state")
      let departure =
        #"{"departures":[{"destination":"Somewhere","flight":"F 1","status":"scheduled"}],"notice":""}"#
      // The board may be told before or after the browser came.
      #expect([departure, #"{"departures":[],"notice":""}"#].contains(state.data))
      _ = state.data == departure ? nil : try await client.next()
      await BoardAction(.setStatus(flight: "F 1", status: .boarding)).dispatch(with: dispatcher).finished
      let patch = try await client.next()
      #expect(patch.name == "patch")
      #expect(patch.data.contains(#"{"op":"replace","path":"/departures/0/status","value":"boarding"}"#))
      await client.close()
    }
  }

  @Test func `one that comes back goes on where it was`() async throws {
    try await serving { _, dispatcher, server in
      let client = try await BoardClient(port: server.port)
      let first = try await client.next()
      await client.close()
      for number in 1...3 { await add(number).dispatch(with: dispatcher).finished }
      let back = try await BoardClient(port: server.port, after: first.id)
      let missed = try await back.readAdditions(3)
      #expect(missed.allSatisfy { $0.name == "patch" })
      let same = try await BoardClient(port: server.port, after: missed.last?.id)
      await add(4).dispatch(with: dispatcher).finished
      #expect(try await same.readAdditions(1).count == 1)
      await back.close()
      await same.close()
    }
  }

  @Test(arguments: ["other-1", "1", "", "-", "x", "-1"])
  func `a place in another run, or none, begins with the state`(_ id: String) async throws {
    try await serving { _, _, server in
      let client = try await BoardClient(port: server.port, after: id)
      let answer2 = try await client.next()
      #expect(answer2.name == "state")
      await client.close()
    }
  }

  @Test func `a thousand browsers all get every change`() async throws {
    try raiseFileLimit(to: 4_000)
    try await serving { _, dispatcher, server in
      let clients = try await withThrowingTaskGroup(of: BoardClient.self) { group in
        for _ in 0..<1_000 { group.addTask { try await BoardClient(port: server.port) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      for client in clients {
        let state = try await client.next()
        #expect(state.name == "state")
      }
      #expect(server.visits.count == 1_000)
      for number in 1...100 { add(number).dispatch(with: dispatcher) }
      try await withThrowingTaskGroup(of: [BoardClient.Event].self) { group in
        for client in clients { group.addTask { try await client.readAdditions(100) } }
        for try await events in group {
          #expect(events.allSatisfy { $0.name == "patch" })
          #expect(events.map(\.version) == events.map(\.version).sorted())
        }
      }
      for client in clients { await client.close() }
    }
  }

  @Test func `a browser that does not read holds up nobody, and gets the state in the end`() async throws {
    try await serving { store, dispatcher, server in
      let slow = try await BoardClient(port: server.port)
      _ = try await slow.next()
      await add(1).dispatch(with: dispatcher).finished
      let quick = try await BoardClient(port: server.port)
      // 80 MB: far more than the log keeps, and than the system takes in for the slow one (some take in 37 MB).
      let long = String(repeating: "x", count: 40_000)
      for number in 1...2_000 {
        await BoardAction(.announce(notice: "\(number) \(long)")).dispatch(with: dispatcher).finished
      }
      #expect(store.state.notice.hasPrefix("2000 "))
      let last = try await quick.read { $0.contains("2000 x") }.last
      let events = try await slow.read { $0.contains("2000 x") }
      #expect(events.contains { $0.name == "state" })
      #expect(events.count < 1_000)
      #expect(events.last?.version == last?.version)
      await slow.close()
      await quick.close()
    }
  }

  @Test func `a request is an action`() async throws {
    try await serving { store, _, server in
      let body = #"{"add":{"flight":"LH 400","destination":"<b>New York</b>"}}"#
      let answer3 = try await BoardClient.send(body, port: server.port)
      #expect(answer3 == "204 No Content")
      #expect(store.state.departures == [Departure(flight: "LH 400", destination: "<b>New York</b>")])
      let answer4 = try await BoardClient.send(body, port: server.port)
      #expect(answer4 == "409 Conflict")
    }
  }

  @Test(arguments: [
    "", "{}", "{\"add\":{}}", "{\"fly\":{}}", "[", "{\"setStatus\":{\"flight\":\"a\",\"status\":\"x\"}}",
  ])
  func `what is no request is refused`(_ body: String) async throws {
    try await serving { store, _, server in
      let answer5 = try await BoardClient.send(body, port: server.port)
      #expect(answer5 == "400 Bad Request")
      #expect(store.state == Board())
    }
  }

  @Test func `a request that is too long, or from another page, is refused`() async throws {
    try await serving { store, _, server in
      // Its answer must not be lost with what the server has not read, however much that is.
      for length in [5_000, 50_000, 500_000] {
        let long = #"{"announce":{"notice":""# + String(repeating: "x", count: length) + #""}}"#
        let answer6 = try await BoardClient.send(long, port: server.port).hasPrefix("413")
        #expect(answer6)
        let answer9 = try await BoardClient.send(long, port: server.port, inChunks: true).hasPrefix("413")
        #expect(answer9)
      }
      let body = #"{"announce":{"notice":"hello"}}"#
      let foreign = ["Origin: http://evil.example"]
      let answer7 = try await BoardClient.send(body, port: server.port, foreign)
      #expect(answer7 == "403 Forbidden")
      #expect(store.state == Board())
      let own = ["Origin: http://127.0.0.1:\(server.port)"]
      let answer8 = try await BoardClient.send(body, port: server.port, own)
      #expect(answer8 == "204 No Content")
    }
  }
}

/// Both ends of each connection are files of this process.
private func raiseFileLimit(to count: UInt64) throws {
  var limit = rlimit()
  #if canImport(Glibc)
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
    let resource = RLIMIT_NOFILE
  #endif
  getrlimit(resource, &limit)
  if limit.rlim_cur >= count { return }
  limit.rlim_cur = min(limit.rlim_max, rlim_t(count))
  try #require(setrlimit(resource, &limit) == 0)
}

@Suite struct BoardingTests {
  @Test func `changes lead from list to list`() async throws {
    let flux = Flux()
    let (store, dispatcher) = Flux.$current.withValue(flux) { (BoardStore(), FluxDispatcher()) }
    dispatcher.register(workers: [store])
    var events = BoardingStream(of: store).makeAsyncIterator()
    var flights: [String] = []
    func next() async throws -> BoardingChanges {
      let bytes = try await events.nextBuffer(suggested: 1_000) ?? []
      let text = String(decoding: bytes, as: UTF8.self)
      let data = text.dropFirst("event: changes\ndata: ".count).dropLast(2)
      return try JSONDecoder().decode(BoardingChanges.self, from: Data(data.utf8))
    }
    for number in [3, 1, 2] {
      await add(number).dispatch(with: dispatcher).finished
      await BoardAction(.setStatus(flight: "F \(number)", status: .boarding)).dispatch(with: dispatcher)
        .finished
      let changes = try await next()
      for offset in changes.removed { flights.remove(at: offset) }
      for placed in changes.inserted { flights.insert(placed.departure.flight, at: placed.offset) }
    }
    #expect(flights == ["F 1", "F 2", "F 3"])
    await BoardAction(.setGate(flight: "F 2", gate: "A 7")).dispatch(with: dispatcher).finished
    #expect(try await next().updated.map(\.offset) == [1])
    await BoardAction(.setStatus(flight: "F 1", status: .departed)).dispatch(with: dispatcher).finished
    #expect(try await next().removed == [0])
  }
}
