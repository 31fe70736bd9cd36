import BenchmarkSink

/// One way to do what a workload asks for.
struct Case {
  /// The threads that a case uses, which decides what time counts.
  enum Threads {
    /// Kept on one core; the time that the thread was running counts.
    case onCallingThread
    /// One after the other on the threads of a pool while the calling thread waits; the time that the process was
    /// running counts.
    case onOtherThread
    /// Several at once, on all cores; the clock counts.
    case onSeveralThreads
  }

  let workload: String
  let name: String
  /// How many observers one operation must fire.
  let fires: Int
  let runs: Threads
  let sink: Sink
  /// Performs the operation so many times, an even number.
  let body: (Int) -> Void

  /// - Parameter make: prepares everything, with a sink for the observers; returns what performs the operation.
  init(
    _ workload: String,
    _ name: String,
    fires: Int,
    runs: Threads = .onCallingThread,
    _ make: (Sink) -> (Int) -> Void
  ) {
    self.workload = workload
    self.name = name
    self.fires = fires
    self.runs = runs
    sink = Sink()
    body = make(sink)
  }
}
