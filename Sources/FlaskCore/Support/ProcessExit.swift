internal import FlaskPrimitives

/// The work at the exit of the process, by `exit` or by the end of `main`, on the exiting thread.
///
/// 1. The closures registered by `prepare` are called, in the order of registration: fluxes finish their accepted
/// operations (`FluxExit`).
/// 2. The closures registered by `close` are called: fluxes reject further operations.
/// 3. The closures registered by `finish` are called, in the order of registration; they save archives.
package enum ProcessExit {
  /// For each of the three.
  private static let plan = Lock<[[@Sendable () -> Void]]>([[], [], []])

  /// Registers with the system, once.
  private static let handler: Int32 = atexit { ProcessExit.perform() }

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
    for stage in 0..<3 {
      for body in plan.withLock({ $0[stage] }) { body() }
    }
  }
}
