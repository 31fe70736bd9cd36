import CountingMalloc
import Processor

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

/// One operation of one collection.
struct Contender {
  let name: String
  let operation: Operation
  let size: Int
  /// How many operations the body performs.
  let count: Int
  let body: () -> Void
}

/// What the contenders of one collection have in common.
struct Field {
  let name: String
  let size: Int

  func contender(_ operation: Operation, per count: Int = 1, _ body: @escaping () -> Void) -> Contender {
    Contender(name: name, operation: operation, size: size, count: count, body: body)
  }
}

/// Nanoseconds of this thread for one operation of each contender, in each of fifteen rounds. The contenders take turns,
/// on one core, so that what the machine does beside them troubles all alike.
func race(_ contenders: [Contender]) -> [Result] {
  processor_pin()
  let repetitions = contenders.map(repetitionsOfRound)
  var rounds = contenders.map { _ in [Double]() }
  for _ in 0..<15 {
    for index in contenders.indices {
      let time = threadTime {
        for _ in 0..<repetitions[index] { contenders[index].body() }
      }
      rounds[index].append(time / Double(repetitions[index] * contenders[index].count))
    }
  }
  return zip(contenders, rounds).map { contender, rounds in
    Result(name: contender.name, operation: contender.operation, size: contender.size, rounds: rounds)
  }
}

/// How often a contender's body has to be called so that a round takes 5 ms.
private func repetitionsOfRound(_ contender: Contender) -> Int {
  contender.body()
  var repetitions = 1
  while threadTime({ for _ in 0..<repetitions { contender.body() } }) < 5e6 { repetitions *= 2 }
  return repetitions
}

/// Nanoseconds of this thread; those of a clock where the system can't tell them.
private func threadTime(_ body: () -> Void) -> Double {
  let (begin, start) = (ContinuousClock.now, processor_thread_nanoseconds())
  body()
  if start > 0 { return processor_thread_nanoseconds() - start }
  let passed = begin.duration(to: .now).components
  return Double(passed.seconds) * 1e9 + Double(passed.attoseconds) / 1e9
}

/// Bytes of the heap that a value keeps, for each of its elements.
func bytes<Value>(per count: Int, _ make: () -> Value) -> Double {
  // What is allocated once, for the type.
  use(make())
  let before = counting_malloc_bytes()
  let value = make()
  return withExtendedLifetime(value) { Double(counting_malloc_bytes() - before) / Double(count) }
}
