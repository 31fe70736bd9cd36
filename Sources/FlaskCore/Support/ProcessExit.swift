internal import Dispatch
internal import FlaskPrimitives
internal import Synchronization

/// The work at the exit of the process, by `exit` or by the end of `main`, on the exiting thread.
///
/// 1. The closures registered by `prepare` are called, in the order of registration: fluxes finish their accepted
/// operations (`FluxExit`).
/// 2. The closures registered by `close` are called: fluxes reject further operations.
/// 3. The closures registered by `finish` are called, in the order of registration; they save archives.
///
/// Another thread that calls `exit` meanwhile, or returns from `main`, waits for the end of this work.
package enum ProcessExit {
  /// The registered closures of the three stages: `prepare`, `close` and `finish`.
  private static let plan = Lock<[[@Sendable () -> Void]]>([[], [], []])

  /// Entered until the work is done.
  private static let work = DispatchGroup()
  /// The thread that does the work; 0 before.
  private static let thread = Atomic<UInt>(0)
  private static let isDone = Atomic<Bool>(false)

  /// Registers two functions with `atexit`, once. The system calls them in the reverse order: `perform` first. If two
  /// threads exit at the same time, each of them calls one of the functions. So one thread performs the work, and the
  /// other waits for its end.
  private static let handler: Int32 = {
    work.enter()
    return atexit { ProcessExit.waitForEnd() } + atexit { ProcessExit.perform() }
  }()

  private static func waitForEnd() {
    if isDone.load(ordering: .acquiring) || thread.load(ordering: .relaxed) == ThreadIdentity.current {
      return
    }
    // Registers this function again: a third thread that exits would otherwise find no function to wait in.
    atexit { ProcessExit.waitForEnd() }
    work.wait()
  }

  /// Registers `body` to be called once at the exit of the process, before archives are saved, so that its changes are
  /// saved too. `body` must not wait without a limit.
  package static func prepare(_ body: @escaping @Sendable () -> Void) {
    _ = handler
    plan.withLock { $0[0].append(body) }
  }

  /// Registers `body` to be called once at the exit of the process, after all closures that were registered by
  /// `prepare`. `body` must not wait without a limit.
  static func close(_ body: @escaping @Sendable () -> Void) {
    plan.withLock { $0[1].append(body) }
  }

  /// Registers `body` to be called once at the exit of the process, after all closures that were registered by `close`.
  /// `body` must not wait without a limit.
  package static func finish(_ body: @escaping @Sendable () -> Void) {
    _ = handler
    plan.withLock { $0[2].append(body) }
  }

  private static func perform() {
    thread.store(ThreadIdentity.current, ordering: .relaxed)
    for stage in 0..<3 {
      for body in plan.withLock({ $0[stage] }) { body() }
    }
    isDone.store(true, ordering: .releasing)
    work.leave()
  }
}
