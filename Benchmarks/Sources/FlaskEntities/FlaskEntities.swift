import CountingMalloc
import FlaskDiff
import FlaskEntities
import Foundation
import HashTreeCollections
import OrderedCollections

/// Compares `Entities` with other collections, which take turns: prints tables with the fastest round of each, and with
/// `--json FILE` writes all rounds, and the charts of `docs/internals/entities.md`, which `Benchmarks/plot-growth.py` draws.
///
/// Arguments: `[--json FILE] [--only OPERATION] [SIZE …]`. Operations are `lookup`, `iteration` and so on, all of which
/// are measured unless one or more are named. Sizes are 100, 10,000 and 1,000,000 unless others are named.
@main
enum FlaskEntities {
  static func main() throws {
    var arguments = Array(CommandLine.arguments.dropFirst())
    var file: String?
    if let index = arguments.firstIndex(of: "--json"), index + 1 < arguments.count {
      file = arguments[index + 1]
      arguments.removeSubrange(index...index + 1)
    }
    if arguments.first == "repeat", arguments.count == 3, let size = Int(arguments[2]) {
      return repeatOperation(arguments[1], size: size)
    }
    var operations: [Operation] = []
    while let index = arguments.firstIndex(of: "--only") {
      guard index + 1 < arguments.count, let named = Operation(rawValue: arguments[index + 1]) else {
        FileHandle.standardError.write(
          Data("--only takes one of \(Operation.allCases.map(\.rawValue))\n".utf8)
        )
        exit(2)
      }
      operations.append(named)
      arguments.removeSubrange(index...index + 1)
    }
    if operations.isEmpty { operations = Operation.allCases }
    let given = arguments.compactMap { Int($0) }
    let sizes = given.isEmpty ? [100, 10_000, 1_000_000] : given
    var results: [Result] = []
    for size in sizes {
      if operations.contains(.memory) { results += memory(size) }
      var contenders =
        entities(size) + array(size) + dictionary(size) + treeDictionary(size) + orderedDictionary(size)
        + trieWithOrder(size)
      if operations.contains(.iteration) { contenders += editedEntities(size) }
      if operations.contains(.named) { contenders += named(size) }
      if operations.contains(.list) { contenders += lists(size) }
      for operation in operations { results += race(contenders.filter { $0.operation == operation }) }
    }
    for operation in Operation.allCases { printTable(of: operation, results, sizes) }
    if let file { try write(results, to: file) }
  }

  private static func printTable(of operation: Operation, _ results: [Result], _ sizes: [Int]) {
    let found = results.filter { $0.operation == operation }
    if found.isEmpty { return }
    print("\n| \(operation.title) | " + sizes.map { "\($0)" }.joined(separator: " | ") + " |")
    print("|---|" + sizes.map { _ in "---:|" }.joined())
    var names: [String] = []
    for result in found where !names.contains(result.name) { names.append(result.name) }
    for name in names {
      let cells = sizes.map { size in
        found.first { $0.name == name && $0.size == size }.map { text($0.value) } ?? ""
      }
      print("| \(name) | " + cells.joined(separator: " | ") + " |")
    }
  }

  private static func text(_ value: Double) -> String {
    value < 100 ? String(format: "%.1f", value) : String(format: "%.0f", value)
  }

  private static func write(_ results: [Result], to file: String) throws {
    var charts: [Chart] = []
    for operation in Operation.allCases where operation.isDrawn {
      let found = results.filter { $0.operation == operation }
      let curves = ["Entities", "Array", "Dictionary", "TreeDictionary"].map { name in
        Chart.Curve(
          name: name,
          points: found.filter { $0.name == name }.map { .init(size: $0.size, nanoseconds: $0.value) }
        )
      }
      charts.append(
        Chart(
          name: "entities-\(operation.rawValue)",
          title: operation.title,
          unit: "elements",
          curves: curves.filter { !$0.points.isEmpty }
        )
      )
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(Report(charts: charts, results: results)).write(to: URL(fileURLWithPath: file))
  }
}

/// What is measured.
enum Operation: String, CaseIterable, Encodable {
  case lookup, named, iteration, change, comparison, insertion, list, memory

  var title: String {
    switch self {
    case .lookup: "Look-up by identity, ns"
    case .named: "Look-up by a string, ns"
    case .iteration: "Iteration, ns an element"
    case .change: "Change of one element in a copy, ns"
    case .comparison: "Comparison of two versions that differ in one element, ns"
    case .insertion: "Insertion in the middle of a copy, ns"
    case .list: "Changes by element of a list: one updated, one moved, ns"
    case .memory: "Memory, bytes an element"
    }
  }

  var isDrawn: Bool { self == .lookup || self == .change || self == .comparison || self == .iteration }
}

/// What was measured of one collection: nanoseconds, or bytes, of each round.
struct Result: Encodable {
  let name: String
  let operation: Operation
  let size: Int
  let rounds: [Double]

  /// The best one.
  var value: Double { rounds.min() ?? 0 }
}

/// What is drawn by `Benchmarks/plot-growth.py`, and what `Scripts/check-benchmarks.py` compares.
struct Report: Encodable {
  let charts: [Chart]
  let results: [Result]
}

/// As `Benchmarks/plot-growth.py` reads it.
struct Chart: Codable {
  struct Curve: Codable {
    struct Point: Codable {
      let size: Int
      let nanoseconds: Double
    }
    let name: String
    let points: [Point]
  }
  let name: String
  let title: String
  let unit: String
  let curves: [Curve]
}
