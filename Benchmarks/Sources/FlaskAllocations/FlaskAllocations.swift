import CountingMalloc
import Foundation

/// Prints, as JSON, how many blocks of memory each operation allocates, or, given `memory`, how many bytes one of each
/// thing keeps: a program of its own, so that the counting does not slow the benchmarks. `Scripts/check-benchmarks.py`
/// and `Scripts/measure-size.sh` compare the figures with `targets.json`.
@main
enum FlaskAllocations {
  static func main() throws {
    guard counting_malloc_is_available() else {
      print("{}")
      return
    }
    var counts: [String: Double] = [:]
    if CommandLine.arguments.dropFirst().first == "memory" {
      for (name, make) in kept() { counts[name] = bytes(make) }
    } else {
      for (name, operation) in operations() { counts[name] = allocations(operation) }
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    print(String(decoding: try encoder.encode(counts), as: UTF8.self))
  }

  /// Allocations per operation on this thread: the mean of 1,000, after 10 to warm up.
  private static func allocations(_ operation: () -> Void) -> Double {
    for _ in 0..<10 { operation() }
    let before = counting_malloc_count()
    for _ in 0..<1000 { operation() }
    return Double(counting_malloc_count() - before) / 1000
  }

  /// Bytes that one of what `make` makes keeps: the mean of 1,000 that are all alive.
  private static func bytes(_ make: () -> AnyObject) -> Double {
    let count = 1_000
    var made: [AnyObject] = []
    made.reserveCapacity(count + 10)
    for _ in 0..<10 { made.append(make()) }
    let before = counting_malloc_bytes()
    for _ in 0..<count { made.append(make()) }
    return withExtendedLifetime(made) { Double(counting_malloc_bytes() - before) / Double(count) }
  }
}
