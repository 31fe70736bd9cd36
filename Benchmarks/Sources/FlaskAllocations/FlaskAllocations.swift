import CountingMalloc
import Foundation

/// Prints, as JSON, how many blocks of memory each operation allocates: a program of its own, so that the counting does not
/// slow the benchmarks. `Scripts/check-benchmarks.py` compares the counts with `targets.json`.
@main
enum FlaskAllocations {
  static func main() throws {
    guard counting_malloc_is_available() else {
      print("{}")
      return
    }
    var counts: [String: Double] = [:]
    for (name, operation) in operations() { counts[name] = allocations(operation) }
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
}
