import CountingMalloc
import Foundation

/// An element as lists have it.
struct Row: Identifiable, Equatable {
  let id: Int
  var title: String
  var count = 0
  var ratio = 0.5
  var isDone = false

  /// Rows with identities that are not in ascending order.
  static func rows(_ count: Int) -> [Row] {
    identities(count).map { Row(id: $0, title: "row \($0 % 1000)") }
  }

  static func identities(_ count: Int) -> [Int] { (0..<count).map { $0 &* 7919 &+ 13 } }

  /// Some of the identities by chance, often enough that they are not found in the processor's cache.
  static func chosen(of count: Int) -> [Int] {
    var state: UInt64 = 42
    return (0..<(count < 10_000 ? 1024 : 65536)).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(count)) &* 7919 &+ 13
    }
  }
}

/// Keeps the compiler from leaving out what nobody looks at.
@inline(never) @_optimize(none)
func use<Value>(_ value: Value) { withExtendedLifetime(value) {} }

/// The value, of which the compiler knows nothing any more.
@inline(never) @_optimize(none)
func opaque<Value>(_ value: Value) -> Value { value }

/// Nanoseconds of this thread for one operation: the fastest of seven rounds.
func time(per count: Int = 1, _ body: () -> Void) -> Double {
  func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }
  body()
  var repetitions = 1
  while true {
    let start = now()
    for _ in 0..<repetitions { body() }
    if now() - start > 5e6 { break }
    repetitions *= 2
  }
  var best = Double.infinity
  for _ in 0..<7 {
    let start = now()
    for _ in 0..<repetitions { body() }
    best = min(best, (now() - start) / Double(repetitions))
  }
  return best / Double(count)
}

/// Bytes of the heap that a value keeps, for each of its elements.
func bytes<Value>(per count: Int, _ make: () -> Value) -> Double {
  let before = counting_malloc_bytes()
  let value = make()
  return withExtendedLifetime(value) { Double(counting_malloc_bytes() - before) / Double(count) }
}
