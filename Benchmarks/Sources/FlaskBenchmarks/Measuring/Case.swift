import BenchmarkSink

/// One way to do what a workload asks for.
struct Case {
  /// The threads that a case uses, which decides what time counts.
  enum Threads {
    /// Kept on one core; the time that the thread was running counts.
    case onCallingThread
    /// As `onCallingThread`, on any core, while other threads work for it.
    case onCallingThreadBesideOthers
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
  private let preparation: Preparation

  /// What it takes to perform the operation, made when it is first asked for.
  private final class Preparation {
    private let make: () -> (Int) -> Void
    private(set) lazy var body = make()

    init(_ make: @escaping () -> (Int) -> Void) { self.make = make }
  }

  /// Performs the operation so many times, an even number. Prepares everything when it is first asked for, which is to
  /// be no part of what is measured.
  var body: (Int) -> Void { preparation.body }

  /// - Parameter make: prepares everything, with a sink for the observers; returns what performs the operation.
  init(
    _ workload: String,
    _ name: String,
    fires: Int,
    runs: Threads = .onCallingThread,
    _ make: @escaping (Sink) -> (Int) -> Void
  ) {
    self.workload = workload
    self.name = name
    self.fires = fires
    self.runs = runs
    let sink = Sink()
    self.sink = sink
    preparation = Preparation { make(sink) }
  }
}
