import FlaskArchive
import FlaskCore
import FlaskEntities
import Foundation
import GRDB
import Processor

/// Measures what one durable change of one order of many costs: the processor time of the process, the time until the
/// caller goes on, and the longest wait of all. The contenders take turns, in one process and one folder.
///
/// Arguments: `[--json FILE] [--changes COUNT] [--only NAME] [ORDERS]`; 4,000 changes of each contender, and 10,000
/// orders, unless others are given.
@main
enum FlaskDurable {
  private static let rounds = 8

  static func main() async throws {
    var arguments = Array(CommandLine.arguments.dropFirst())
    let file = option("--json", from: &arguments)
    let changes = option("--changes", from: &arguments).flatMap { Int($0) } ?? 4_000
    let only = option("--only", from: &arguments)
    let orders = arguments.first.flatMap { Int($0) } ?? 10_000
    let folder = FileManager.default.temporaryDirectory.appending(path: "flask-durable-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let alone = FileArchive(directory: folder.appending(path: "alone"))
    let group = ArchiveGroup("shop", in: FileArchive(directory: folder.appending(path: "group")))
    let all = [
      try grdb(orders, in: folder),
      archive("archive", orders, in: alone),
      archive("private group", orders, in: group),
    ]
    let contenders = all.filter { [$0.name, nil].contains(only) }
    for round in 0..<rounds {
      for contender in contenders { try contender.run(changes / rounds, from: round * changes) }
    }
    print(
      "| \(changes) changes of one of \(orders) orders | processor, µs | µs to the caller | longest, ms |"
    )
    print("|---|---:|---:|---:|")
    for contender in contenders {
      let row = contender.result
      print(
        String(
          format: "| %@ | %.0f | %.0f | %.1f |",
          row.name as NSString,
          row.processor,
          row.median,
          row.longest
        )
      )
    }
    guard let file else { return }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(["results": contenders.map(\.result)]).write(to: URL(filePath: file))
  }

  private static func option(_ name: String, from arguments: inout [String]) -> String? {
    guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else { return nil }
    defer { arguments.removeSubrange(index...index + 1) }
    return arguments[index + 1]
  }

  /// A group or an archive of the state's own, in files: `fsync` for each change.
  private static func archive(_ name: String, _ count: Int, in place: any ArchiveBackend) -> Contender {
    let shop = Substance(Shop(count), name: name, archive: true, in: place)
    return Contender(name) { change in
      let id = change % count
      shop.mix {
        $0.orders[id: id]?.edits += 1
        $0.orders[id: id]?.status = .paid
      }
      guard shop.archiveNow() else { throw NotSaved() }
    }
  }

  /// One row for each order, in SQLite with a write-ahead log; `synchronous = FULL` is one `fsync` for each change.
  private static func grdb(_ count: Int, in folder: URL) throws -> Contender {
    var configuration = Configuration()
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    let pool = try DatabasePool(
      path: folder.appending(path: "shop.sqlite").path,
      configuration: configuration
    )
    try pool.write { database in
      try database.create(table: Order.databaseTableName) { table in
        table.primaryKey("id", .integer)
        table.column("isUrgent", .boolean).notNull()
        table.column("customer", .text).notNull()
        table.column("status", .text).notNull()
        table.column("placed", .datetime).notNull()
        table.column("sent", .datetime)
        table.column("note", .text)
        table.column("lines", .jsonText).notNull()
        table.column("edits", .integer).notNull()
      }
      for id in 0..<count { try Order(id: id).insert(database) }
    }
    var orders = (0..<count).map { Order(id: $0) }
    return Contender("GRDB, upsert") { change in
      let id = change % count
      orders[id].edits += 1
      orders[id].status = .paid
      try pool.write { try orders[id].upsert($0) }
    }
  }
}

struct NotSaved: Error {}
