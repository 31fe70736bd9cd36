import FlaskSharing
import FlaskSQLite
import Foundation
import GRDB
import StoreTestSupport
import Testing

/// Real processes that share one database.
@Suite(.serialized) struct SharedProcessesTests {
  private let folder: TemporaryFolder
  private let file: URL

  init() throws {
    folder = try TemporaryFolder()
    file = folder.url.appending(path: "books.sqlite")
  }

  private static func count(_ name: String, _ usual: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? usual
  }

  private func database() throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    return try DatabaseQueue(path: file.path, configuration: configuration)
  }

  private func rows() throws -> [Int: String] {
    try database().read { db in
      #expect(try String.fetchOne(db, sql: "PRAGMA integrity_check") == "ok")
      let rows = try Row.fetchAll(
        db,
        sql: "SELECT id, body FROM flask_row WHERE path = 'entries' ORDER BY ord, id"
      )
      return Dictionary(uniqueKeysWithValues: rows.map { (Int($0[0] as String) ?? -1, $0[1] as String) })
    }
  }

  private func saved(_ lines: [String]) -> [Int] {
    lines.compactMap { $0.hasPrefix("saved ") ? Int($0.split(separator: " ")[1]) : nil }
  }

  @Test func `of four processes that are killed in the middle of saves, no acknowledged save is lost`() throws
  {
    var acknowledged: [Int] = []
    var workers = try (1...4).map { try Worker(file.path, ["add", "\($0 * 1_000_000)", "100000"]) }
    var random = SystemRandomNumberGenerator()
    for kill in 1...Self.count("FLASK_KILLS", 8) {
      Thread.sleep(forTimeInterval: Double.random(in: 0.2...0.6, using: &random))
      let index = Int.random(in: 0..<4, using: &random)
      workers[index].kill()
      acknowledged += saved(workers[index].end().lines)
      workers[index] = try Worker(file.path, ["add", "\((kill + 4) * 1_000_000)", "100000"])
    }
    for worker in workers { worker.kill() }
    for worker in workers { acknowledged += saved(worker.end().lines) }
    let rows = try rows()
    #expect(acknowledged.count > 100)
    let lost = acknowledged.filter { rows[$0] == nil }
    #expect(lost.isEmpty, "\(lost.count) of \(acknowledged.count) are lost, such as \(lost.prefix(5))")
  }

  @Test func `greedy processes get their turns`() throws {
    let count = Self.count("FLASK_GREEDY", 4)
    let workers = try (0..<count).map { _ in try Worker(file.path, ["count", "3"]) }
    let results = workers.map { $0.end() }
    var sum = 0
    for result in results {
      #expect(result.isDone, "\(result.errors)")
      let fields = result.lines.last?.split(separator: " ").map(String.init) ?? []
      sum += fields.first.flatMap { Int($0) } ?? 0
      // Not a limit of time: a process that gets no turn at all would have no transaction.
      #expect(fields.first.flatMap { Int($0) } ?? 0 > 0)
      print("greedy: \(fields.joined(separator: " transactions, the longest wait in seconds "))")
    }
    let body = try database().read { db in
      try String.fetchOne(db, sql: "SELECT body ->> 'count' FROM flask_row WHERE path = ''")
    }
    #expect(body == "\(sum)")
  }

  @Test func `two processes add orders eight at a time: all are there`() throws {
    let first = try Worker(file.path, ["add", "0", "1"])
    _ = first.end()
    let workers = try [1_000_000, 2_000_000].map { try Worker(file.path, ["serve", "\($0)", "200"]) }
    for result in workers.map({ $0.end() }) {
      #expect(result.isDone, "\(result.errors)")
      print("served: longest wait and processor time of one, in seconds: \(result.lines.last ?? "")")
    }
    #expect(try rows().count == 401)
  }

  @Test func `on a full disk a save fails, and what was changed is saved once there is room`() throws {
    let worker = try Worker(file.path, ["full"])
    let result = worker.end()
    #expect(result.isDone, "\(result.errors)")
    #expect(result.lines.first?.hasPrefix("full: ") == true)
    #expect(result.lines.last == "saved 1000")
    #expect(try rows().count == 1000)
  }

  @Test
  func `two versions beside each other: the newer one's property stays, and the older one changes its own`()
    throws
  {
    let newer = try Worker(file.path, ["newer", "1", "20"])
    _ = newer.end()
    let older = try Worker(file.path, ["edit", "5", "60"])
    let result = older.end()
    #expect(result.isDone, "\(result.errors)")
    var expected: [Int: Int] = [:]
    for line in result.lines {
      let fields = line.split(separator: " ").compactMap { Int($0) }
      expected[fields[0]] = fields[1]
    }
    for (id, body) in try rows() {
      #expect(body.contains(#""tag":"new""#), "\(body)")
      #expect(body.contains(#""value":\#(expected[id] ?? 0)"#), "\(body)")
    }
  }

  @Test func `a database that is replaced by a backup while it is used: all have the backup`() throws {
    let first = try Worker(file.path, ["add", "1", "10"])
    #expect(first.end().isDone)
    let backup = folder.url.appending(path: "backup.sqlite")
    try database().vacuum(into: backup.path)
    let second = try Worker(file.path, ["add", "100", "10"])
    #expect(second.end().isDone)
    #expect(try rows().count == 20)
    let resting = try Worker(file.path, ["rest", "4"])
    Thread.sleep(forTimeInterval: 1)
    try SQLiteStore.replace(file, by: backup)
    let result = resting.end()
    #expect(result.isDone, "\(result.errors)")
    #expect(result.lines.last == "10")
    let third = try Worker(file.path, ["add", "200", "5"])
    #expect(third.end().isDone)
    #expect(try rows().count == 15)
  }
}
