import FlaskCore
import FlaskEntities
import FlaskSQLite
import FlaskSharing
import Foundation
import GRDB
import Processor

/// Measures shared groups in SQLite beside the same work by hand, through GRDB, in one process and one folder.
///
/// Arguments: `[--json FILE] [--rows COUNT]`; 100,000 rows unless another count is given. With `--postgres CONNECTION`
/// it measures a group in PostgreSQL, and with `--watch SECONDS` besides one process of many; with `--decode FILE` only
/// how long `JSONDecoder` takes for a row in each line: see `measure_postgres.py`.
@main
enum FlaskSharingBenchmark {
  struct Row: Codable, Sendable, Identifiable {
    var id: Int
    var title: String
    var note: String?
    var edits = 0

    init(id: Int) {
      self.id = id
      title = "the title of row \(id)"
      note = id % 2 == 0 ? "a note for every other row" : nil
    }
  }

  struct Table: FlaskState {
    var rows: Entities<Row> = []
  }

  struct Measured: Codable {
    let name: String
    let flask: Double
    let byHand: Double
  }

  final class Process: Sendable {
    let flux = Flux()
    let group: SharedGroup
    let table: Substance<Table>

    convenience init(_ file: URL) throws { self.init(try SQLiteStore(at: file)) }

    init(_ store: any RecordStore, _ name: String = "rows") {
      (group, table) = Flux.$current.withValue(flux) {
        let group = SharedGroup(name, in: store)
        return (group, Substance<Table>(name: "table", archive: true, in: group))
      }
    }
  }

  static func main() async throws {
    var arguments = Array(CommandLine.arguments.dropFirst())
    let json = option("--json", from: &arguments)
    let count = option("--rows", from: &arguments).flatMap { Int($0) } ?? 100_000
    if let file = option("--decode", from: &arguments) {
      let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
      let decoder = JSONDecoder()
      let time = try ContinuousClock().measure {
        _ = Entities(try lines.map { try decoder.decode(Row.self, from: Data($0.utf8)) })
      }
      return print(time / .milliseconds(1))
    }
    if let connection = option("--postgres", from: &arguments) {
      let watch = option("--watch", from: &arguments).flatMap { Double($0) }
      let figures = PostgresFigures(connection, count)
      if let watch { return try await figures.watch(watch) }
      return try write(try await figures.measure(), count, to: json)
    }
    let folder = FileManager.default.temporaryDirectory.appending(path: "flask-sharing-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "flask.sqlite")
    let pool = try byHand(count, in: folder)
    var process: Process? = try Process(file)
    process?.table.mix { $0.rows = Entities((0..<count).map { Row(id: $0) }) }
    try await process?.group.save()
    var results = try await durable(process, pool, count)
    results += try await arrivals(process, file)
    process = nil
    results.append(try opening(file, pool))
    try write(results, count, to: json)
  }

  private static func write(_ results: [Measured], _ count: Int, to json: String?) throws {
    print("| \(count) rows | Flask | by hand |")
    print("|---|---:|---:|")
    for row in results {
      print(String(format: "| %@ | %.1f | %.1f |", row.name as NSString, row.flask, row.byHand))
    }
    guard let json else { return }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(["results": results]).write(to: URL(filePath: json))
  }

  private static func option(_ name: String, from arguments: inout [String]) -> String? {
    guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else { return nil }
    defer { arguments.removeSubrange(index...index + 1) }
    return arguments[index + 1]
  }

  /// The rows as JSON texts in a table of one's own, as the shared group has them.
  private static func byHand(_ count: Int, in folder: URL) throws -> DatabasePool {
    let pool = try DatabasePool(path: folder.appending(path: "hand.sqlite").path)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    try pool.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA synchronous = FULL")
      try db.inTransaction {
        try db.execute(sql: "CREATE TABLE hand (id INTEGER PRIMARY KEY, body TEXT NOT NULL)")
        for id in 0..<count {
          let body = String(decoding: try encoder.encode(Row(id: id)), as: UTF8.self)
          try db.execute(sql: "INSERT INTO hand VALUES (?, ?)", arguments: [id, body])
        }
        return .commit
      }
    }
    return pool
  }

  /// One row of many, durable: the time and the processor time of a change, in microseconds.
  private static func durable(_ process: Process?, _ pool: DatabasePool, _ count: Int) async throws
    -> [Measured]
  {
    guard let process else { return [] }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    var rows = (0..<count).map { Row(id: $0) }
    var (flask, hand) = ([Double](), [Double]())
    var (flaskProcessor, handProcessor) = (0.0, 0.0)
    let clock = ContinuousClock()
    for round in 0..<8 {
      var start = processor_process_nanoseconds()
      for change in 0..<250 {
        let id = (round * 250 + change) * 37 % count
        let begin = clock.now
        process.table.mix { $0.rows[id: id]?.edits += 1 }
        try await process.group.save()
        flask.append((clock.now - begin) / .microseconds(1))
      }
      flaskProcessor += processor_process_nanoseconds() - start
      start = processor_process_nanoseconds()
      for change in 0..<250 {
        let id = (round * 250 + change) * 37 % count
        let begin = clock.now
        rows[id].edits += 1
        let row = rows[id]
        try await pool.write { db in
          let body = String(decoding: try encoder.encode(row), as: UTF8.self)
          try db.execute(
            sql: "INSERT INTO hand VALUES (?, ?) ON CONFLICT DO UPDATE SET body = excluded.body",
            arguments: [id, body]
          )
        }
        hand.append((clock.now - begin) / .microseconds(1))
      }
      handProcessor += processor_process_nanoseconds() - start
    }
    return [
      Measured(name: "a durable change: median, µs", flask: median(flask), byHand: median(hand)),
      Measured(
        name: "a durable change: processor, µs",
        flask: flaskProcessor / 1_000 / Double(flask.count),
        byHand: handProcessor / 1_000 / Double(hand.count)
      ),
    ]
  }

  static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  /// From a mix here to a reaction there, in milliseconds: median, and 99th percentile.
  private static func arrivals(_ process: Process?, _ file: URL) async throws -> [Measured] {
    guard let process else { return [] }
    return try await arrivals(process, try Process(file))
  }

  static func arrivals(_ process: Process, _ other: Process) async throws -> [Measured] {
    var times: [Double] = []
    let clock = ContinuousClock()
    let (arrived, arrival) = AsyncStream.makeStream(of: Int.self)
    let observation = other.table.observe(\.rows) { _, rows in arrival.yield(rows[id: 0]?.edits ?? 0) }
    var iterator = arrived.makeAsyncIterator()
    for _ in 0..<300 {
      let begin = clock.now
      process.table.mix { $0.rows[id: 0]?.edits += 1 }
      let expected = process.table.state.rows[id: 0]?.edits ?? 0
      while let found = await iterator.next(), found != expected {}
      times.append((clock.now - begin) / .milliseconds(1))
    }
    withExtendedLifetime(observation) {}
    let sorted = times.sorted()
    return [
      Measured(
        name: "from a mix to a reaction elsewhere: median, ms",
        flask: sorted[sorted.count / 2],
        byHand: 0
      ),
      Measured(name: "the same: 99th percentile, ms", flask: sorted[sorted.count * 99 / 100], byHand: 0),
    ]
  }

  /// Opening all rows, in milliseconds.
  private static func opening(_ file: URL, _ pool: DatabasePool) throws -> Measured {
    let clock = ContinuousClock()
    var (flask, hand) = ([Double](), [Double]())
    for _ in 0..<3 {
      flask.append(try clock.measure { _ = try Process(file) } / .milliseconds(1))
      hand.append(
        try clock.measure {
          let decoder = JSONDecoder()
          let bodies = try pool.read { try String.fetchAll($0, sql: "SELECT body FROM hand ORDER BY id") }
          _ = Entities(try bodies.map { try decoder.decode(Row.self, from: Data($0.utf8)) })
        } / .milliseconds(1)
      )
    }
    return Measured(name: "opening: median, ms", flask: median(flask), byHand: median(hand))
  }
}
