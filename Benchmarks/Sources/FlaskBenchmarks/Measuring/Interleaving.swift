import Benchmark

/// Measures cases side by side: in each round every case runs one batch, so that what disturbs the machine disturbs
/// case and bound alike.
///
/// The benchmark library runs and times the batches. It has no notion of rounds over several benchmarks or of ratios
/// between them, so those are here.
struct Interleaving {
  let rounds: Int
  /// Seconds that a batch is to take.
  let batch: Double

  /// The measurements of `cases`, in their order.
  func measure(_ cases: [Case]) throws -> [Measurement] {
    let operations = try cases.map(operations)
    var times = Array(repeating: [Double](), count: cases.count)
    for _ in 0..<rounds {
      var runner = BenchmarkRunner(
        suites: zip(cases, operations).map { measured, operations in
          BenchmarkSuite(name: measured.workload) {
            $0.register(benchmark: Round(measured: measured, operations: operations))
          }
        },
        settings: [Quiet(true), Format(.none)]
      )
      try runner.run()
      for (index, result) in runner.results.enumerated() {
        times[index].append(time(of: result, cases[index]) / Double(operations[index]))
      }
    }
    return zip(cases, times).map { Measurement(workload: $0.workload, name: $0.name, rounds: $1) }
  }

  /// What a batch took: the time of the processor, but if there are several threads at once, the clock's.
  private func time(of result: BenchmarkResult, _ measured: Case) -> Double {
    let own = measured.runs == .onSeveralThreads ? 0 : result.counters[Round.processorTime] ?? 0
    return own > 0 ? own : result.measurements.first ?? .nan
  }

  /// How many operations fill a batch; also warms up.
  private func operations(_ measured: Case) throws -> Int {
    let round = Round(measured: measured, operations: 0)
    round.setUp()
    let clock = ContinuousClock()
    // What starting threads and waiting for them takes must not show beside the operations.
    let isAlone = measured.runs == .onCallingThread
    let batch = isAlone ? batch : max(0.05, batch)
    var count = isAlone ? 2 : 16384
    // What is made once, at the first operation, must not make all batches short.
    measured.body(2)
    while true {
      let before = round.nanoseconds
      let duration = clock.measure { measured.body(count) }
      // Nor what other processes take.
      let own = measured.runs == .onSeveralThreads ? 0 : round.nanoseconds - before
      let seconds = own > 0 ? own / 1e9 : duration / .seconds(1)
      if seconds >= batch / 3 { return max(2, Int(Double(count) * batch / seconds) / 2 * 2) }
      count *= 2
    }
  }
}
