import BenchmarkSink
import Benchmark
import Processor

/// One measurement of one case, in the form that the benchmark library runs: a batch of operations.
struct Round: AnyBenchmark {
  let measured: Case
  let operations: Int

  /// The counter for the time that the thread or the process was running: what other processes of a busy machine take
  /// is not in it.
  static let processorTime = "processor time"

  var name: String { measured.name }
  /// One batch, no warm-up of the library's: the batches of all cases take turns.
  var settings: [any BenchmarkSetting] { [Iterations(1), WarmupIterations(0), Quiet(true), Format(.none)] }

  func setUp() { if measured.runs == .onCallingThread { processor_pin() } else { processor_release() } }

  func run(_ state: inout BenchmarkState) throws {
    let before = measured.sink.calls
    let cpuBefore = nanoseconds
    try state.measure { measured.body(operations) }
    state.increment(counter: Round.processorTime, by: nanoseconds - cpuBefore)
    let calls = measured.sink.calls - before
    if calls != measured.fires * operations {
      throw CaseError(
        description: "\(measured.workload) \(measured.name): \(calls) calls of observers instead of "
          + "\(measured.fires * operations)"
      )
    }
  }

  func tearDown() {}

  /// The processor's time so far.
  var nanoseconds: Double {
    measured.runs == .onOtherThread ? processor_process_nanoseconds() : processor_thread_nanoseconds()
  }
}
