import FlyingFox
import Foundation
import Testing

@testable import FlaskInspector

@Suite struct EventStreamTests {
  private func serving(_ feed: Feed, _ body: (UInt16) async throws -> Void) async throws {
    let server = try await InspectorServer(feed, port: 0, token: "t")
    try await body(server.port)
    await server.stop()
  }

  private func events(port: UInt16, _ headers: [String] = []) async throws -> Client {
    let client = try await Client(port: port)
    try await client.send("GET /t/events HTTP/1.1", ["Host: 127.0.0.1:\(port)"] + headers)
    return client
  }

  @Test func `a reader gets what there is, and then what comes`() async throws {
    let feed = Feed(capacity: 10)
    await feed.setHead([#"{"t":"h"}"#])
    await feed.append(#"{"n":1}"#)
    try await serving(feed) { port in
      let client = try await events(port: port)
      let first = try await client.read(until: #"[{"n":1}]"#)
      #expect(first.contains("Content-Type: text/event-stream"))
      #expect(first.contains("event: lines\nid: 0\ndata: [{\"t\":\"h\"}]\n\n"))
      await feed.append(#"{"n":2}"#)
      let next = try await client.read(until: #"[{"n":2}]"#)
      #expect(next.contains("event: lines\nid: 2\ndata: "))
      try client.close()
    }
  }

  @Test func `one that comes back goes on where it was`() async throws {
    let feed = Feed(capacity: 10)
    await feed.setHead(["0"])
    await feed.append(contentsOf: ["1", "2", "3"])
    await feed.finish()
    try await serving(feed) { port in
      let client = try await events(port: port, ["Last-Event-ID: 2"])
      let text = try await client.read(until: "event: end\n")
      #expect(text.contains("event: lines\nid: 3\ndata: [3]\n\n"))
      #expect(!text.contains("[0]"))
      #expect(!text.contains("2,3"))
      try client.close()
    }
  }

  @Test func `a place that no feed has is taken as the nearest`() async throws {
    let feed = Feed(capacity: 2)
    await feed.append(contentsOf: ["1", "2", "3"])
    await feed.finish()
    try await serving(feed) { port in
      for (place, lines) in [("-5", "data: [2,3]"), ("99", "event: end"), ("1", "data: [2,3]")] {
        let client = try await events(port: port, ["Last-Event-ID: \(place)"])
        let restRead = try await client.read(until: "event: end\n")
        #expect(restRead.contains(lines))
        try client.close()
      }
    }
  }

  @Test func `a reader that does not read holds up nobody, and misses what has gone`() async throws {
    let feed = Feed(capacity: 100)
    let long = "\"" + String(repeating: "x", count: 100_000) + "\""
    await feed.append(contentsOf: Array(repeating: long, count: 100))
    try await serving(feed) { port in
      // 10 MB are more than the system takes in for it.
      let slow = try await events(port: port)
      _ = try await slow.read(until: "HTTP/1.1 200")
      for number in 0..<1_000 { await feed.append("\(number)") }
      let quick = try await events(port: port)
      let laterRead = try await quick.read(until: "id: 1100\n")
      #expect(laterRead.contains("event: lines"))
      #expect(await feed.count == 100)
      #expect(await feed.readers == 2)
      // What it was being sent is whole; then it has the newest.
      await feed.finish()
      let rest = try await slow.read(until: "event: end\n")
      #expect(rest.contains("data: [900,901,"))
      try slow.close()
      try quick.close()
    }
  }

  @Test func `more readers than there may be are turned away, until one has gone`() async throws {
    let feed = Feed(capacity: 10, mostReaders: 1)
    await feed.append("1")
    try await serving(feed) { port in
      let first = try await events(port: port)
      _ = try await first.read(until: "id: 1\n")
      let answer = try await Client.get("/t/events", port: port)
      #expect(answer.status == "503 Service Unavailable")
      try first.close()
      // That it has gone is noticed by writing to it.
      while await feed.readers > 0 {
        await feed.append("2")
        await Task.yield()
      }
      let second = try await events(port: port)
      let moreRead = try await second.read(until: "event: lines")
      #expect(moreRead.contains("200 OK"))
      try second.close()
    }
  }
}
