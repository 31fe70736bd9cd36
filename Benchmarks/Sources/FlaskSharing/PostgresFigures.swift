import FlaskCore
import FlaskEntities
import FlaskPostgres
import FlaskSharing
import Foundation
import Processor

/// Measures a shared group in PostgreSQL. What stands beside it, `pgbench` and `psql`, `Scripts/measure_postgres.py`
/// runs on the same server.
struct PostgresFigures {
  typealias Benchmark = FlaskSharingBenchmark

  private let connection: String
  private let count: Int

  init(_ connection: String, _ count: Int) {
    self.connection = connection
    self.count = count
  }

  private func open() throws -> Benchmark.Process { Benchmark.Process(try PostgresStore(connection)) }

  func measure() async throws -> [Benchmark.Measured] {
    var process: Benchmark.Process? = try open()
    if process?.table.state.rows.isEmpty == true {
      process?.table.mix { $0.rows = Entities((0..<count).map { Benchmark.Row(id: $0) }) }
      try await process?.group.save(timeout: .seconds(120))
    }
    guard let filled = process else { return [] }
    var results = [try await handlers(filled, 32), try await handlers(filled, 1)]
    results.append(try await groups(32))
    results += try await one(filled)
    results += try await Benchmark.arrivals(filled, try open())
    process = nil
    var times: [Double] = []
    for _ in 0..<3 { times.append(try ContinuousClock().measure { _ = try open() } / .milliseconds(1)) }
    results.append(Benchmark.Measured(name: "opening: median, ms", flask: Benchmark.median(times), byHand: 0))
    return results
  }

  /// Acknowledgements a second: each handler changes one row, and waits until that is durable.
  private func handlers(_ process: Benchmark.Process, _ number: Int) async throws -> Benchmark.Measured {
    let clock = ContinuousClock()
    let begin = clock.now
    let end = begin + .seconds(5)
    let sum = try await withThrowingTaskGroup(of: Int.self) { tasks in
      for handler in 0..<number {
        tasks.addTask {
          var done = 0
          while clock.now < end {
            let id = (handler * 7919 + done * 37) % count
            process.table.mix { $0.rows[id: id]?.edits += 1 }
            try await process.group.save(timeout: .seconds(10))
            done += 1
          }
          return done
        }
      }
      return try await tasks.reduce(0, +)
    }
    return Benchmark.Measured(
      name: "acknowledgements a second, \(number) handlers",
      flask: Double(sum) / ((clock.now - begin) / .seconds(1)),
      byHand: 0
    )
  }

  /// Transactions a second of many groups, which commit beside each other: no turn and no announcement serialises them.
  private func groups(_ number: Int) async throws -> Benchmark.Measured {
    let store = try PostgresStore(connection, connectionLimit: number + 1)
    let processes = (0..<number).map { Benchmark.Process(store, "group \($0)") }
    for process in processes {
      process.table.mix { $0.rows = [Benchmark.Row(id: 0)] }
      try await process.group.save(timeout: .seconds(10))
    }
    let clock = ContinuousClock()
    let begin = clock.now
    let end = begin + .seconds(5)
    let sum = try await withThrowingTaskGroup(of: Int.self) { tasks in
      for process in processes {
        tasks.addTask {
          var done = 0
          while clock.now < end {
            process.table.mix { $0.rows[id: 0]?.edits += 1 }
            try await process.group.save(timeout: .seconds(10))
            done += 1
          }
          return done
        }
      }
      return try await tasks.reduce(0, +)
    }
    return Benchmark.Measured(
      name: "transactions a second, \(number) groups",
      flask: Double(sum) / ((clock.now - begin) / .seconds(1)),
      byHand: 0
    )
  }

  /// One change: median time and processor time of this process, in microseconds.
  private func one(_ process: Benchmark.Process) async throws -> [Benchmark.Measured] {
    var times: [Double] = []
    let clock = ContinuousClock()
    let start = processor_process_nanoseconds()
    for change in 0..<1000 {
      let begin = clock.now
      process.table.mix { $0.rows[id: change * 37 % count]?.edits += 1 }
      try await process.group.save()
      times.append((clock.now - begin) / .microseconds(1))
    }
    let processor = (processor_process_nanoseconds() - start) / 1_000 / Double(times.count)
    return [
      Benchmark.Measured(name: "a durable change: median, µs", flask: Benchmark.median(times), byHand: 0),
      Benchmark.Measured(name: "a durable change: processor, µs", flask: processor, byHand: 0),
    ]
  }

  /// One process of many. Prints what the opening took and what memory it needs, then what the processor did while
  /// others made changes, and how many arrived.
  func watch(_ seconds: Double) async throws {
    let clock = ContinuousClock()
    var process: Benchmark.Process?
    let opening = try clock.measure { process = try open() } / .milliseconds(1)
    print("opened \(opening) \(residentMegabytes)")
    fflush(nil)
    let before = process?.group.status.state.commit ?? 0
    let start = processor_process_nanoseconds()
    try await Task.sleep(for: .seconds(seconds))
    let commits = (process?.group.status.state.commit ?? 0) - before
    print("watched \((processor_process_nanoseconds() - start) / 1_000_000) \(commits) \(residentMegabytes)")
  }

  private var residentMegabytes: Double {
    let fields =
      (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
    return fields.count > 1 ? (Double(fields[1]) ?? 0) * 4096 / 1e6 : 0
  }
}
