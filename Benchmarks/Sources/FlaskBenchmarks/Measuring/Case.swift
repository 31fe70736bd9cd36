/// One way to do what a workload asks for.
struct Case {
  let workload: String
  let name: String
  /// How many observers one operation must fire.
  let fires: Int
  /// Whether it uses several threads, and so must not be pinned to one core.
  let isThreaded: Bool
  let sink: Sink
  /// Performs the operation so many times, an even number.
  let body: (Int) -> Void

  /// - Parameter make: prepares everything, with a sink for the observers; returns what performs the operation.
  init(
    _ workload: String,
    _ name: String,
    fires: Int,
    isThreaded: Bool = false,
    _ make: (Sink) -> (Int) -> Void
  ) {
    self.workload = workload
    self.name = name
    self.fires = fires
    self.isThreaded = isThreaded
    sink = Sink()
    body = make(sink)
  }
}
