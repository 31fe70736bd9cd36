import Flask
import FlaskPostgres
import FlaskSharing
import Foundation
import StoreTestSupport
import Testing

/// Servers that fail, and what stands between.
@Suite(.serialized, .enabled(if: PostgresServer.isInstalled)) struct PostgresServersTests {
  private static func count(_ name: String, _ usual: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? usual
  }

  private func saved(_ lines: [String]) -> [Int] {
    lines.compactMap { $0.hasPrefix("saved ") ? Int($0.split(separator: " ")[1]) : nil }
  }

  /// The command that runs a process in a network of its own, and the address of the server there.
  private static let networks: [(command: [String], host: String)] =
    (ProcessInfo.processInfo.environment["FLASK_NAMESPACES"] ?? "").split(separator: " ").map { text in
      let parts = text.split(separator: "=").map(String.init)
      return (["ip", "netns", "exec", parts[0]], parts[1])
    }

  private func worker(_ index: Int, _ url: String, _ arguments: [String]) throws -> Worker {
    guard !Self.networks.isEmpty else { return try Worker(url, arguments) }
    let network = Self.networks[index % Self.networks.count]
    return try Worker(url.replacing("127.0.0.1", with: network.host), arguments, by: network.command)
  }

  // MARK: Processes

  @Test func `of processes that are killed, and of a server that is, no acknowledged save is lost`() throws {
    let server = try PostgresServer()
    let url = server.url()
    var acknowledged: [Int] = []
    var workers = try (1...4).map { try worker($0, url, ["add", "\($0 * 1_000_000)", "100000"]) }
    for kill in 1...Self.count("FLASK_KILLS", 8) {
      Thread.sleep(forTimeInterval: Double.random(in: 0.1...0.4))
      let index = Int.random(in: 0..<4)
      workers[index].kill()
      acknowledged += saved(workers[index].end().lines)
      workers[index] = try worker(index, url, ["add", "\((kill + 4) * 1_000_000)", "100000"])
    }
    for _ in 1...Self.count("FLASK_SERVER_KILLS", 3) {
      Thread.sleep(forTimeInterval: Double.random(in: 0.3...0.8))
      try server.stop("immediate")
      Thread.sleep(forTimeInterval: Double.random(in: 0...0.3))
      try server.start()
    }
    Thread.sleep(forTimeInterval: 1)
    for worker in workers { worker.kill() }
    for worker in workers { acknowledged += saved(worker.end().lines) }
    let rows = Set(try server.sql("SELECT id FROM flask_row WHERE path = 'entries'").compactMap { Int($0) })
    #expect(acknowledged.count > 100)
    let lost = acknowledged.filter { !rows.contains($0) }
    print("killed: \(acknowledged.count) saves were acknowledged, \(lost.count) of them are lost")
    #expect(lost.isEmpty, "\(lost.count) of \(acknowledged.count) are lost, such as \(lost.prefix(5))")
  }

  @Test func `transactions are performed once each while the server is killed`() throws {
    let server = try PostgresServer()
    let workers = try (0..<3).map { try worker($0, server.url(), ["count", "5"]) }
    for _ in 1...Self.count("FLASK_SERVER_KILLS", 3) {
      Thread.sleep(forTimeInterval: 4 / Double(Self.count("FLASK_SERVER_KILLS", 3)))
      try server.stop("immediate")
      try server.start()
    }
    var sum = 0
    for result in workers.map({ $0.end() }) {
      #expect(result.isDone, "\(result.errors)")
      sum += result.lines.last?.split(separator: " ").first.flatMap { Int($0) } ?? 0
      print("counted beside kills of the server: \(result.lines.last ?? "")")
    }
    #expect(sum > 0)
    #expect(try server.sql("SELECT body ->> 'count' FROM flask_row WHERE path = ''") == ["\(sum)"])
  }

  @Test func `four processes mix many times: all of it is in the end in the database`() throws {
    let server = try PostgresServer()
    let count = Self.count("FLASK_MIXES", 8000) / 4
    let workers = try (0..<4).map { try worker($0, server.url(), ["mix", "\($0 * 10_000)", "\(count)"]) }
    for result in workers.map({ $0.end() }) {
      #expect(result.isDone, "\(result.errors)")
      #expect(result.lines == ["sum \(count)"])
    }
    #expect(
      try server.sql("SELECT count(*), sum((body ->> 'value')::int) FROM flask_row WHERE path = 'entries'")
        == ["4000|\(count * 4)"]
    )
    let rest = try worker(0, server.url(), ["rest", "1"]).end()
    #expect(rest.lines == ["4000"])
    let commits = try server.sql("SELECT max(seq) FROM flask_commit")[0]
    print("mixed: \(count * 4) mixes of four processes in \(commits) commits")
  }

  @Test(.enabled(if: count("FLASK_KILLS", 8) >= 50))
  func `a process that vanishes while it sends a transaction loses its turn`() async throws {
    let server = try PostgresServer()
    let proxy = try CuttingProxy(to: server.port)
    let (ghost, other) = (
      try PostgresStore("postgresql://flask:sesame@127.0.0.1:\(proxy.port)/books"),
      try PostgresStore(server.url())
    )
    let query = RecordQuery(group: "books")
    _ = try other.read(query)
    let rows = (0..<20).map {
      SharedRecord(
        key: RecordKey(part: "ledger", path: "rows", id: "\($0)"),
        order: "V0000000",
        version: 0,
        body: "\"" + String(repeating: "x", count: 1 << 20) + "\""
      )
    }
    Thread {
      _ = try? ghost.transact(query) { _, _ in
        proxy.stall()
        return RecordWrites(commits: [.init(token: "ghost", touched: nil)], rows: rows, version: 0)
      }
    }.start()
    while try server.sql(
      "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND wait_event = 'ClientRead'"
    )
      == ["0"]
    { try await Task.sleep(for: .milliseconds(20)) }
    var position: RecordPosition?
    while position == nil {
      position = try? other.transact(query) { _, _ in
        RecordWrites(commits: [.init(token: "other", touched: [])], version: 0)
      }
    }
    #expect(position?.number == 1)
  }

  // MARK: Other servers

  @Test
  func
    `P14, P19: a standby without the last commits is promoted: all have what it has, and what was pending`()
    async throws
  {
    let primary = try PostgresServer()
    let standby = try PostgresServer(copying: primary)
    let url =
      "postgresql://flask:sesame@127.0.0.1:\(standby.port),127.0.0.1:\(primary.port)/books?connect_timeout=3"
    let program = try Program(url)
    program.ledger.mix { $0.title = "kept" }
    try await program.group.save(timeout: .seconds(30))
    let row = "SELECT body ->> 'title' FROM flask_row"
    try await program.until { (try? standby.sql(row)) == ["kept"] }
    let alone = try PostgresStore(standby.url())
    let refusal = #expect(throws: RecordStoreError.self) { try alone.read(RecordQuery(group: "books")) }
    #expect(refusal?.description.contains("read-only") == true)
    try standby.stop()
    for number in 1...3 {
      program.ledger.mix { $0.title = "lost \(number)" }
      try await program.group.save(timeout: .seconds(30))
    }
    try primary.stop()
    program.ledger.mix { $0.entries.append(Entry(title: "pending")) }
    try standby.start()
    try standby.promote()
    try await program.group.save(timeout: .seconds(60))
    try await program.group.opened()
    #expect(program.ledger.state.title == "kept")
    #expect(program.ledger.state.entries.map(\.title) == ["pending"])
    #expect(program.group.status.state.restorations == 1)
    #expect(try standby.sql("SELECT count(*) FROM flask_row WHERE path = 'entries'") == ["1"])
  }

  @Test func `P11: at rest nothing is written, however long groups are open`() async throws {
    let server = try PostgresServer()
    let programs = try (0..<3).map { _ in try Program(server.url()) }
    programs[0].ledger.mix { $0.title = "May" }
    let place = try await programs[0].group.save()
    for program in programs { try await program.group.reached(place) }
    try await Task.sleep(for: .seconds(1))
    let next = "SELECT pg_snapshot_xmax(pg_current_snapshot())"
    let before = try server.sql(next)
    try await Task.sleep(for: .seconds(3))
    #expect(try server.sql(next) == before)
    withExtendedLifetime(programs) {}
  }

  static let bouncer = ["/usr/sbin/pgbouncer", "/usr/local/bin/pgbouncer", "/opt/homebrew/bin/pgbouncer"]
    .first {
      FileManager.default.isExecutableFile(atPath: $0)
    }

  @Test(.enabled(if: bouncer != nil))
  func
    `P5: behind a pooler of transactions it works, says that it asks each second, and may listen beside it`()
    async throws
  {
    let server = try PostgresServer()
    let port = server.port + 1
    let settings = """
      [databases]
      * = host=127.0.0.1 port=\(server.port)
      [pgbouncer]
      listen_addr = 127.0.0.1
      listen_port = \(port)
      auth_type = trust
      auth_file = \(server.folder)/users.txt
      pool_mode = transaction
      default_pool_size = 3
      logfile = \(server.folder)/pgbouncer.log
      pidfile = \(server.folder)/pgbouncer.pid
      unix_socket_dir =
      """
    try settings.write(toFile: server.folder + "/pgbouncer.ini", atomically: true, encoding: .utf8)
    try "\"flask\" \"sesame\"".write(toFile: server.folder + "/users.txt", atomically: true, encoding: .utf8)
    try PostgresServer.run(Self.bouncer ?? "", ["-d", server.folder + "/pgbouncer.ini"])
    defer {
      let text = try? String(contentsOfFile: server.folder + "/pgbouncer.pid", encoding: .utf8)
      if let process = text.flatMap({ pid_t($0.trimmingCharacters(in: .whitespacesAndNewlines)) }) {
        // It has the signals of the thread that has started it, which are blocked.
        kill(process, SIGKILL)
      }
    }
    let pooled = "postgresql://flask:sesame@127.0.0.1:\(port)/books"
    let here = try Program(pooled)
    let there = try Program(pooled, direct: server.url())
    // More programs than connections to the server.
    let others = try (0..<6).map { _ in try Program(pooled) }
    for number in 1...20 {
      here.ledger.mix { $0.entries.append(Entry(title: "\(number)")) }
      try await here.group.save(timeout: .seconds(30))
      try await there.group.transact(there.ledger, timeout: .seconds(30)) { $0.title = "\(number)" }
    }
    let place = try await there.group.save()
    for other in others {
      try await other.group.reached(place)
      #expect(other.ledger.state.entries.count == 20)
      #expect(other.ledger.state.title == "20")
    }
    guard case .polling(let reason) = here.store.delivery else { throw CocoaError(.featureUnsupported) }
    #expect(reason.contains("pooler"))
    try await there.until { there.store.delivery == .hints }
  }
}
