import Foundation

/// What is done when the process ends by `exit` or by the end of `main`: first whatever was asked for by `atExit`, then
/// the archives are saved.
enum ProcessExit {
  private struct Step: Sendable {
    let body: @Sendable () -> Void
  }

  private struct Plan {
    var limit: Duration = .seconds(5)
    var steps: [Step] = []
  }

  private static let plan = Lock(Plan())

  private static let handler: Int32 = atexit { ProcessExit.perform() }

  /// Sees to it that the archives are saved at the end. The system is asked for that once, however often this is
  /// called.
  static func register() {
    _ = handler
  }

  /// How long the archives may take.
  static var limit: Duration {
    get { plan.withLock { $0.limit } }
    set { plan.withLock { $0.limit = newValue } }
  }

  /// Has `body` performed before the archives are saved, after what was asked for before.
  static func prepare(_ body: @escaping @Sendable () -> Void) {
    register()
    plan.withLock { $0.steps.append(Step(body: body)) }
  }

  private static func perform() {
    let (steps, limit) = plan.withLock { ($0.steps, $0.limit) }
    for step in steps { step.body() }
    Archivers.shared.flush(within: limit)
  }
}

extension Archivers {
  /// How long a normal end of the process waits for the archives; 5 s if not said otherwise. What is not durable then
  /// is a fault, and the process ends.
  package static var exitLimit: Duration {
    get { ProcessExit.limit }
    set { ProcessExit.limit = newValue }
  }

  /// Has `prepare` performed at a normal end of the process, on the thread that ends it, before the archives are saved:
  /// what it changes is saved too. Several are performed in the order in which they came.
  ///
  /// - Parameter prepare: what to perform, once. It must come to an end by itself.
  package static func atExit(_ prepare: @escaping @Sendable () -> Void) {
    ProcessExit.prepare(prepare)
  }
}
