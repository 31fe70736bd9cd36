import FlaskArchive
import FlaskCore
import FlaskInsight
import Foundation
import Testing

@testable import FlaskInspector

private struct Purse: FlaskState {
  var coins = 0
  var note = ""
  var key = Code(digits: "hunter2-in-the-clear")
}

private struct Code: Redacted, Codable { var digits: String }

/// Cannot be recorded as a whole, so it cannot show the past.
private struct Opaque: Sendable { var count = 0 }

/// A living process that is looked at, and one who asks it for things.
private struct Looked {
  let flux: Flux
  let purse: Substance<Purse>
  let inspector: Inspector
  let port: UInt16
  let token: String

  init(recording: RecordingLimits? = RecordingLimits(), redacting: [Redaction] = [], budgets: Budgets = .none)
    async throws
  {
    let flux = Flux()
    let purse = Flux.$current.withValue(flux) { Substance(Purse(), name: "purse") }
    inspector = try await Inspector.serve(
      showing: purse,
      of: flux,
      redacting: redacting,
      budgets: budgets,
      recording: recording,
      isAllowedInReleaseBuilds: true,
      announce: { _ in }
    )
    (self.flux, self.purse) = (flux, purse)
    port = UInt16(try #require(URL(string: inspector.address)?.port))
    token = String(inspector.address.split(separator: "/").last ?? "")
  }

  func post(_ path: String, _ headers: [String]? = nil, host: String? = nil) async throws -> (
    status: String, text: String
  ) {
    try await Client.get(
      "/\(token)/\(path)",
      port: port,
      host: host,
      (headers ?? ["Origin: http://127.0.0.1:\(port)"]) + ["Content-Length: 0"],
      method: "POST"
    )
  }

  func get(_ path: String) async throws -> (status: String, text: String) {
    try await Client.get("/\(token)/\(path)", port: port)
  }

  /// The page, once it holds a text.
  func html(with text: String) async -> String {
    while true {
      let html = await inspector.html()
      if html.contains(text) { return html }
      await Task.yield()
    }
  }
}

@Suite struct TravelTests {
  @Test func `the app shows the past that is asked for, and what is submitted meanwhile waits`() async throws
  {
    let looked = try await Looked()
    for coins in 1...3 { looked.purse.mix { $0.coins = coins } }
    #expect(try await looked.post("travel?to=1").status == "200 OK")
    #expect(looked.purse.coins == 1)
    let mixed = looked.purse.mix { $0.coins += 10 }
    #expect(try await looked.post("travel?to=2").status == "200 OK")
    #expect(looked.purse.coins == 2)
    #expect(looked.flux.waitingCount == 1)
    #expect(try await looked.post("present").status == "200 OK")
    _ = await mixed.outcome
    #expect(looked.purse.coins == 13)
    #expect(try await looked.post("present").status == "200 OK")
    #expect(looked.flux.locks.isEmpty)
    await looked.inspector.stop()
  }

  @Test func `the page tells where the app is, and shows the travel as none of the app's operations`()
    async throws
  {
    let looked = try await Looked()
    for coins in 1...3 { looked.purse.mix { $0.coins = coins } }
    _ = try await looked.post("travel?to=2")
    let html = await looked.html(with: #""t":"x""#)
    #expect(html.contains(#""q":0,"n":2,"l":["#))
    #expect(html.contains(#""rec":1,"tr":1}"#))
    #expect(!html.contains(#""k":"replay""#))
    _ = try await looked.post("present")
    #expect(await !looked.inspector.html().contains(#""q":0,"n":"#))
    await looked.inspector.stop()
  }

  @Test func `only the page itself can send the app into the past`() async throws {
    let looked = try await Looked()
    looked.purse.mix { $0.coins = 1 }
    looked.purse.mix { $0.coins = 2 }
    let own = "Origin: http://127.0.0.1:\(looked.port)"
    for headers in [
      [], ["Origin: http://evil.example"], ["Origin: null"], ["Origin: http://localhost:\(looked.port)"],
      [own, "Sec-Fetch-Site: cross-site"],
    ] {
      #expect(try await looked.post("travel?to=1", headers).status == "403 Forbidden")
      #expect(try await looked.post("present", headers).status == "403 Forbidden")
    }
    #expect(try await looked.post("travel?to=1", host: "evil.example").status == "403 Forbidden")
    #expect(try await looked.get("travel?to=1").status == "404 Not Found")
    let wrong = try await Client.get(
      "/wrong/travel?to=1",
      port: looked.port,
      [own, "Content-Length: 0"],
      method: "POST"
    )
    #expect(wrong.status == "404 Not Found")
    #expect(looked.purse.coins == 2)
    #expect(looked.flux.locks.isEmpty)
    await looked.inspector.stop()
  }

  @Test func `what makes no sense is refused, and the app goes on`() async throws {
    let looked = try await Looked(recording: RecordingLimits(operations: 4))
    for coins in 1...20 { looked.purse.mix { $0.coins = coins } }
    #expect(try await looked.post("travel").status == "400 Bad Request")
    #expect(try await looked.post("travel?to=x").status == "400 Bad Request")
    let gone = try await looked.post("travel?to=1")
    #expect(gone.status == "409 Conflict")
    #expect(gone.text.contains("operation 1 is not kept any more; the oldest that is kept is "))
    #expect(looked.flux.locks.isEmpty)
    #expect(looked.purse.coins == 20)
    await looked.inspector.stop()
  }

  @Test func `what is not recorded can neither travel nor be saved`() async throws {
    let looked = try await Looked(recording: nil)
    #expect(try await looked.post("travel?to=1").status == "404 Not Found")
    #expect(try await looked.get("selection.flask?from=1&to=2").status == "404 Not Found")
    #expect(await !looked.inspector.html().contains(#""rec":1"#))
    await looked.inspector.stop()
    let flux = Flux()
    let opaque = Flux.$current.withValue(flux) { Substance(Opaque(), name: "opaque") }
    let inspector = try await Inspector.serve(
      showing: opaque,
      of: flux,
      isAllowedInReleaseBuilds: true,
      announce: { _ in }
    )
    #expect(await inspector.html().contains(#""rec":1}"#))
    await inspector.stop()
  }

  @Test func `a selection of a living process is a recording without its secrets`() async throws {
    let looked = try await Looked(redacting: [.keyPath(\Purse.note)])
    for coins in 1...5 {
      looked.purse.mix { purse in
        purse.coins = coins
        purse.note = "iban-in-the-clear \(coins)"
        purse.key.digits = "hunter3-in-the-clear \(coins)"
      }
    }
    let answer = try await looked.get("selection.flask?from=3&to=4")
    #expect(answer.status == "200 OK")
    #expect(!answer.text.contains("in-the-clear"))
    let body = try #require(answer.text.range(of: "\r\n\r\n")).upperBound
    let recording = try Recording(data: Data(answer.text[body...].utf8))
    #expect(recording.isComplete)
    #expect(recording.operations.map(\.number) == [3, 4])
    let copy = Flux.$current.withValue(Flux()) { Substance(Purse(), name: "purse") }
    let player = try RecordingPlayer(recording, on: [copy])
    try await player.seek(to: 0)
    #expect(copy.coins == 2)
    try await player.seek(to: 4)
    #expect(copy.coins == 4)
    #expect(copy.key.digits == "hunter2-in-the-clear")
    await looked.inspector.stop()
  }

  @Test func `the lock of a travel is no fault, however long it takes`() async throws {
    let flux = Flux()
    let (faults, report) = AsyncStream.makeStream(of: FlaskFault.self)
    flux.onFault = { report.yield($0) }
    let purse = Flux.$current.withValue(flux) { Substance(Purse(), name: "purse") }
    let inspector = try await Inspector.serve(
      showing: purse,
      of: flux,
      budgets: Budgets(operation: nil, lock: .milliseconds(1), waiting: nil),
      isAllowedInReleaseBuilds: true,
      announce: { _ in }
    )
    let looked = try #require(URL(string: inspector.address))
    let port = UInt16(try #require(looked.port))
    let answer = try await Client.get(
      "\(looked.path)/travel?to=0",
      port: port,
      ["Origin: http://127.0.0.1:\(port)", "Content-Length: 0"],
      method: "POST"
    )
    #expect(answer.status == "200 OK")
    // Taken later, so it is reported later.
    let lock = flux.lock()
    for await fault in faults {
      #expect(fault.fileID == "FlaskInspectorTests/TravelTests.swift")
      break
    }
    lock.release()
    await inspector.stop()
  }
}

@Suite struct TravellerTests {
  private func travelling(_ body: (Traveller, Substance<Purse>) async throws -> Void) async throws {
    let flux = Flux()
    let purse = Flux.$current.withValue(flux) { Substance(Purse(), name: "purse") }
    let traveller = try Traveller(
      of: flux,
      beginningWith: [purse],
      travellingWith: [purse],
      limits: .none,
      redacting: []
    )
    purse.mix { $0.coins = 1 }
    purse.mix { $0.coins = 2 }
    try await body(traveller, purse)
    await traveller.stop()
    #expect(purse.coins == 2)
  }

  @Test func `the present comes back when nobody looks any more`() async throws {
    try await travelling { traveller, purse in
      await traveller.note(isSeen: true)
      #expect(await traveller.go(to: 1) == nil)
      // Nobody has looked since: it was asked for by no page.
      await traveller.note(isSeen: false)
      #expect(await traveller.moment == 1)
      await traveller.note(isSeen: true)
      #expect(purse.coins == 1)
      await traveller.note(isSeen: false)
      #expect(await traveller.moment == nil)
      #expect(purse.coins == 2)
    }
  }

  @Test func `of those who ask at the same time one comes after the other`() async throws {
    try await travelling { traveller, purse in
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<20 {
          group.addTask {
            if number % 5 == 4 {
              await traveller.comeBack()
            } else {
              #expect(await traveller.go(to: number % 3) == nil)
            }
          }
        }
      }
      #expect(await traveller.go(to: 1) == nil)
      #expect(purse.coins == 1)
    }
  }

  @Test func `the end of a look is the end of the travel, and nothing is left`() async throws {
    try await travelling { traveller, purse in
      #expect(await traveller.go(to: 1) == nil)
      await traveller.stop()
      #expect(purse.coins == 2)
      #expect(await traveller.go(to: 1) == "the travel has ended")
    }
  }
}
