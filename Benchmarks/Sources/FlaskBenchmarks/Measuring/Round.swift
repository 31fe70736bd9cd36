import Benchmark
import Processor

/// One measurement of one case, in the form that the benchmark library runs: a batch of operations.
struct Round: AnyBenchmark {
  let measured: Case
  let operations: Int

  var name: String { measured.name }
  /// One batch, no warm-up of the library's: the batches of all cases take turns.
  var settings: [any BenchmarkSetting] { [Iterations(1), WarmupIterations(0), Quiet(true), Format(.none)] }

  func setUp() { if measured.isThreaded { processor_release() } else { processor_pin() } }

  func run(_ state: inout BenchmarkState) throws {
    let before = measured.sink.calls
    try state.measure { measured.body(operations) }
    let calls = measured.sink.calls - before
    if calls != measured.fires * operations {
      throw CaseError(
        description: "\(measured.workload) \(measured.name): \(calls) calls of observers instead of "
          + "\(measured.fires * operations)"
      )
    }
  }

  func tearDown() {}
}
