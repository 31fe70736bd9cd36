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
  /// The page, which is open: without one the present would come back.
  private let page: Client

  init(recording: RecordingLimits? = RecordingLimits(), redacting: [Redaction] = []) async throws {
    let flux = Flux()
    let purse = Flux.$current.withValue(flux) { Substance(Purse(), name: "purse") }
    inspector = try await Inspector.serve(
      showing: purse,
      of: flux,
      redacting: redacting,
      budgets: .none,
      recording: recording,
      isAllowedInReleaseBuilds: true,
      announce: { _ in }
    )
    (self.flux, self.purse) = (flux, purse)
    port = UInt16(try #require(URL(string: inspector.address)?.port))
    token = String(inspector.address.split(separator: "/").last ?? "")
    page = try await Client.looking(at: inspector)
  }

  func close() async throws {
    try page.close()
    await inspector.stop()
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
    try await looked.close()
  }

  @Test func `the page tells where the app is, and shows the travel as none of the app's operations`()
    async throws
  {
    let looked = try await Looked()
    for coins in 1...3 { looked.purse.mix { $0.coins = coins } }
    #expect(try await looked.post("travel?to=2").text.hasSuffix("\r\n\r\n" + #"{"n":2,"v":1}"#))
    let html = await looked.inspector.html(with: #""t":"x""#)
    #expect(html.contains(#"],"n":2,"q":0,"t":"l","v":1}"#))
    #expect(html.contains(#""rec":1,"t":"h","tr":1,"v":1}"#))
    #expect(!html.contains(#""k":"replay""#))
    _ = try await looked.post("present")
    #expect(await !looked.inspector.html().contains(#""q":0,"n":"#))
    try await looked.close()
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
    try await looked.close()
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
    try await looked.close()
  }

  @Test func `what is not recorded can neither travel nor be saved`() async throws {
    let looked = try await Looked(recording: nil)
    #expect(try await looked.post("travel?to=1").status == "404 Not Found")
    #expect(try await looked.get("selection.flask?from=1&to=2").status == "404 Not Found")
    #expect(await !looked.inspector.html().contains(#""rec":1"#))
    try await looked.close()
    let flux = Flux()
    let opaque = Flux.$current.withValue(flux) { Substance(Opaque(), name: "opaque") }
    let inspector = try await Inspector.serve(
      showing: opaque,
      of: flux,
      isAllowedInReleaseBuilds: true,
      announce: { _ in }
    )
    #expect(await inspector.html().contains(#""rec":1,"t":"h","v":1}"#))
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
    try await looked.close()
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
    let page = try await Client.looking(at: inspector)
    #expect(try await Client.post("travel?to=0", to: inspector).status == "200 OK")
    // Taken later, so it is reported later.
    let lock = flux.lock()
    for await fault in faults {
      #expect(fault.fileID == "FlaskInspectorTests/TravelTests.swift")
      break
    }
    lock.release()
    try page.close()
    await inspector.stop()
  }

  @Test func `of substances with one name each shows its own past`() async throws {
    let flux = Flux()
    let (first, second, third) = Flux.$current.withValue(flux) {
      (Substance(Purse(), name: "purse"), Substance(Purse(), name: "purse"), Substance(Purse()))
    }
    // Of another bus, so it stays as it is.
    let elsewhere = Flux.$current.withValue(Flux()) { Substance(Purse(coins: 7), name: "purse") }
    let inspector = try await Inspector.serve(
      showing: first,
      second,
      third,
      elsewhere,
      of: flux,
      budgets: .none,
      isAllowedInReleaseBuilds: true,
      announce: { _ in }
    )
    let page = try await Client.looking(at: inspector)
    for coins in 1...2 { for purse in [first, second, third] { purse.mix { $0.coins += coins } } }
    #expect(try await Client.post("travel?to=4", to: inspector).status == "200 OK")
    #expect([first, second, third, elsewhere].map(\.coins) == [3, 1, 1, 7])
    try page.close()
    await inspector.stop()
  }

  @Test func `where not all values are shown, nothing is recorded unless that is asked for`() async throws {
    let flux = Flux()
    let purse = Flux.$current.withValue(flux) { Substance(Purse(note: "seen-by-nobody"), name: "purse") }
    for values in [TracedValues.none, .only(\Purse.coins)] {
      let inspector = try await Inspector.serve(
        showing: purse,
        of: flux,
        values: values,
        budgets: .none,
        isAllowedInReleaseBuilds: true,
        announce: { _ in }
      )
      purse.mix { $0.note += " at all" }
      let html = await inspector.html(with: #""t":"o""#)
      #expect(!html.contains("seen-by-nobody"))
      #expect(!html.contains(#""rec":1"#))
      #expect(try await Client.get("selection.flask?from=0&to=9", of: inspector).status == "404 Not Found")
      #expect(try await Client.post("travel?to=0", to: inspector).status == "404 Not Found")
      await inspector.stop()
    }
    let inspector = try await Inspector.serve(
      showing: purse,
      of: flux,
      values: .none,
      budgets: .none,
      recording: RecordingLimits(),
      isAllowedInReleaseBuilds: true,
      announce: { _ in }
    )
    let selection = try await Client.get("selection.flask?from=0&to=9", of: inspector)
    #expect(selection.text.contains("seen-by-nobody"))
    await inspector.stop()
  }
}
