import Processor

/// One way to make a change durable, and how long each change took.
final class Contender {
  struct Result: Codable {
    let name: String
    /// The processor time of the process for each change, in microseconds.
    let processor: Double
    /// The median time until the caller goes on, in microseconds.
    let median: Double
    /// The longest time until the caller goes on, in milliseconds.
    let longest: Double
  }

  let name: String
  private let change: (Int) throws -> Void
  private var processor = 0.0
  private var waits: [Double] = []

  init(_ name: String, change: @escaping (Int) throws -> Void) {
    self.name = name
    self.change = change
  }

  func run(_ count: Int, from first: Int) throws {
    let clock = ContinuousClock()
    let start = processor_process_nanoseconds()
    for number in first..<first + count {
      let wait = try clock.measure { try change(number) }
      waits.append(wait / .microseconds(1))
    }
    processor += processor_process_nanoseconds() - start
  }

  var result: Result {
    let sorted = waits.sorted()
    return Result(
      name: name,
      processor: processor / 1_000 / Double(max(1, waits.count)),
      median: sorted.isEmpty ? 0 : sorted[sorted.count / 2],
      longest: (sorted.last ?? 0) / 1_000
    )
  }
}
