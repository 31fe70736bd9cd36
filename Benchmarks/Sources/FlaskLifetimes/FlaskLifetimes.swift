import FlaskActions
import FlaskCore
import FlaskEntities
import FlaskScopes
import Foundation

/// Measures the price of work that lives as long as a piece of state. Prints, of 10,000 rows, the fastest of some
/// rounds:
///
/// - the removal of all rows, without work, with a scope of each row (as a list of views has them), and with work of each
///   row, in an array and in `Entities`;
/// - a mix: in a process without work, beside running work, and by running work.
///
/// Argument: `[--json FILE]`.
@main
enum FlaskLifetimes {
  private static let rounds = 15
  private static let count = 10_000
  private static let mixes = 200_000

  struct Row: Identifiable, Sendable {
    let id: Int
    var title = "row"
    var isDone = false
  }

  struct Board: Sendable {
    var rows: [Row] = []
    var count = 0
  }

  struct Shelf: Sendable {
    var rows = Entities<Row>()
    var count = 0
  }

  struct Result: Encodable {
    let name: String
    let microseconds: Double
  }

  static func main() async throws {
    var results: [Result] = []
    func note(_ name: String, _ seconds: Double) {
      results.append(Result(name: name, microseconds: seconds * 1e6))
      print(String(format: "%8.2f µs  %@", seconds * 1e6, name as NSString))
    }
    note("a mix in a process without work", fastest { mixTime() })
    note("removing all rows of an array: without work", fastest { removal(scopes: false) })
    note("removing all rows of an array: a scope of each", fastest { removal(scopes: true) })
    note("removing all rows of entities: without work", fastest { shelfRemoval(scopes: false) })
    note("removing all rows of entities: a scope of each", fastest { shelfRemoval(scopes: true) })
    note(
      "removing all rows of an array: without work, beside as many tasks",
      await fastest { await tasksAlone(board()) { $0.mix { $0.rows = [] } } }
    )
    note(
      "removing all rows of entities: without work, beside as many tasks",
      await fastest { await tasksAlone(shelf()) { $0.mix { $0.rows.removeAll() } } }
    )
    note("removing all rows of an array: work of each", await fastest { await workedRemoval() })
    note("removing all rows of entities: work of each", await fastest { await workedShelfRemoval() })
    let other = Substance(Shelf(), name: "other")
    let work = other.whileTrue(\.isCounted) { try await Task.sleep(for: .seconds(3_600)) }
    note("a mix beside running work", fastest { mixTime() })
    let byWork = await withCheckedContinuation { continuation in
      other.whileTrue(\.isCounted) { continuation.resume(returning: fastest { mixTime() }) }
    }
    note("a mix by running work", byWork)
    work.end()
    guard let index = CommandLine.arguments.firstIndex(of: "--json"),
      index + 1 < CommandLine.arguments.count
    else { return }
    try JSONEncoder().encode(["results": results]).write(to: URL(filePath: CommandLine.arguments[index + 1]))
  }

  private static func fastest(_ body: () -> Double) -> Double { (0..<rounds).map { _ in body() }.min() ?? 0 }

  private static func fastest(_ body: @Sendable () async -> Double) async -> Double {
    var best = Double.infinity
    for _ in 0..<7 { best = min(best, await body()) }
    return best
  }

  private static func time(_ body: () -> Void) -> Double {
    let start = DispatchTime.now().uptimeNanoseconds
    body()
    return Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
  }

  private static func mixTime() -> Double {
    let board = Substance(Shelf(), name: "mixed")
    return time { for _ in 0..<mixes { board.mix { $0.count &+= 1 } } } / Double(mixes)
  }

  // MARK: Removing all

  private static func board() -> Substance<Board> {
    Substance(Board(rows: (0..<count).map { Row(id: $0) }), name: "board")
  }

  private static func shelf() -> Substance<Shelf> {
    Substance(Shelf(rows: Entities((0..<count).map { Row(id: $0) })), name: "shelf")
  }

  private static func removal(scopes: Bool) -> Double {
    let board = board()
    let held = scopes ? (0..<count).map { board.scope(\.rows, id: $0) } : []
    defer { withExtendedLifetime(held) {} }
    return time { board.mix { $0.rows = [] } }
  }

  private static func shelfRemoval(scopes: Bool) -> Double {
    let shelf = shelf()
    let held = scopes ? (0..<count).map { shelf.scope(\.rows, id: $0) } : []
    defer { withExtendedLifetime(held) {} }
    return time { shelf.mix { $0.rows.removeAll() } }
  }

  /// The removal from a state of as many rows as there are tasks, which belong to no state, and which are started
  /// between the creation and the removal of the rows, so that the rows are as cold as those with work.
  private static func tasksAlone<State: Sendable>(
    _ substance: Substance<State>,
    _ remove: @Sendable (Substance<State>) -> Void
  ) async -> Double {
    let begun = Counter()
    let tasks = (0..<count).map { _ in
      Task {
        await begun.add()
        try? await Task.sleep(for: .seconds(3_600))
      }
    }
    await begun.reaches(count)
    let time = time { remove(substance) }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
    return time
  }

  private static func workedRemoval() async -> Double {
    let board = board()
    let begun = Counter()
    board.whilePresent(each: \.rows) { _ in
      await begun.add()
      try await Task.sleep(for: .seconds(3_600))
    }
    await begun.reaches(count)
    return time { board.mix { $0.rows = [] } }
  }

  private static func workedShelfRemoval() async -> Double {
    let shelf = shelf()
    let begun = Counter()
    shelf.whilePresent(each: \.rows) { _ in
      await begun.add()
      try await Task.sleep(for: .seconds(3_600))
    }
    await begun.reaches(count)
    return time { shelf.mix { $0.rows.removeAll() } }
  }
}

extension FlaskLifetimes.Shelf {
  fileprivate var isCounted: Bool { true }
}

private actor Counter {
  private var value = 0
  private var waiting: (count: Int, continuation: CheckedContinuation<Void, Never>)?

  func add() {
    value += 1
    guard let waiting, value >= waiting.count else { return }
    self.waiting = nil
    waiting.continuation.resume()
  }

  func reaches(_ count: Int) async {
    if value >= count { return }
    await withCheckedContinuation { waiting = (count, $0) }
  }
}
