import Flask
import FlaskPostgres
import FlaskSharing
import Foundation
import Testing

/// Answers to commits that are lost on the way.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct PostgresAnswersTests {
  @Test func `an answer to a commit that is cut on the way: nothing is lost, nothing is done twice`()
    async throws
  {
    let server = try PostgresServer.shared.get()
    let database = try server.database()
    let proxy = try CuttingProxy(to: server.port)
    let url = "postgresql://flask:sesame@127.0.0.1:\(proxy.port)/\(database)"
    let (here, there) = (try Program(url), try Program(server.url(database)))
    try await here.group.opened()
    for number in 0..<20 {
      proxy.cuts = 1
      here.ledger.mix { $0.entries.append(Entry(title: "saved \(number)")) }
      try await here.group.save(timeout: .seconds(30))
      try await there.group.transact(there.ledger) { $0.title += "x" }
      proxy.cuts = 1
      try await here.group.transact(here.ledger, timeout: .seconds(30)) { $0.title += "y" }
    }
    try await there.group.reached(try await here.group.save(timeout: .seconds(30)))
    #expect(there.ledger.state.entries.map(\.title) == (0..<20).map { "saved \($0)" })
    #expect(there.ledger.state.title == String(repeating: "xy", count: 20))
    #expect(try server.sql("SELECT count(*) FROM flask_row WHERE path = 'entries'", in: database) == ["20"])
  }

  @Test
  func
    `1, on a wire: a commit is cut but done, another edits the row before this process knows: the edit stays`()
    async throws
  {
    let server = try PostgresServer.shared.get()
    let database = try server.database()
    let proxy = try CuttingProxy(to: server.port)
    let url = "postgresql://flask:sesame@127.0.0.1:\(proxy.port)/\(database)"
    let (here, there) = (try Program(url), try Program(server.url(database)))
    try await here.group.opened()
    let entry = Entry(title: "first")
    here.ledger.mix { $0.entries.append(entry) }
    try await here.group.save()
    proxy.cutAndGoDown()
    here.ledger.mix { $0.entries[id: entry.id]?.title = "here" }
    await #expect(throws: SharingError.self) { try await here.group.save() }
    try await there.group.opened()
    #expect(there.ledger.state.entries.map(\.title) == ["here"])
    there.ledger.mix { $0.entries[id: entry.id]?.title = "there" }
    let place = try await there.group.save()
    proxy.goUp()
    try await here.group.save(timeout: .seconds(30))
    try await here.group.reached(place)
    #expect(here.ledger.state.entries.map(\.title) == ["there"])
    #expect(
      try server.sql("SELECT body ->> 'title' FROM flask_row WHERE path = 'entries'", in: database) == [
        "there"
      ]
    )
  }

  @Test func `a transaction whose answer is lost may have been performed, and says so`() async throws {
    let server = try PostgresServer.shared.get()
    let database = try server.database()
    let proxy = try CuttingProxy(to: server.port)
    let url = "postgresql://flask:sesame@127.0.0.1:\(proxy.port)/\(database)"
    let here = try Program(url)
    try await here.group.opened()
    proxy.cutAndGoDown()
    let error = await #expect(throws: SharingError.self) {
      try await here.group.transact(here.ledger, once: "request 1") { $0.title += "x" }
    }
    if case .unknownOutcome? = error {} else { Issue.record("\(String(describing: error))") }
    proxy.goUp()
    let again = try await here.group.transact(here.ledger, once: "request 1", timeout: .seconds(30)) {
      ledger in
      ledger.title += "x"
      return ledger.title
    }
    #expect(again == nil)
    try await here.group.opened()
    #expect(here.ledger.state.title == "x")
  }
}
