internal import FlaskPrimitives

/// The receiver of faults: a handler that can be replaced at any time, from any thread.
package final class FaultHandler: Sendable {
  typealias Handler = @Sendable (FlaskFault) -> Void

  /// The handler behind `Flask.onFault`.
  static let shared = FaultHandler(StandardErrorFaults.report)

  /// The handler in a struct, since a closure must not be stored in a `Lock` directly: see `Lock`.
  private struct State { var handler: Handler? }

  /// Set while the running thread calls a handler.
  private static let reporting = ThreadSlot<FaultHandler>()

  private let state: Lock<State>

  init(_ handler: Handler?) { state = Lock(State(handler: handler)) }

  /// The handler; by default it writes to standard error.
  ///
  /// The operator `??` is not used: it is generic, so it would wrap the closure each time. A handler that is read and
  /// set again would get one more wrapper each time.
  var handler: Handler { if let current { current } else { StandardErrorFaults.report } }

  /// Returns `body` for another thread that does a part of this thread's work. If this thread is calling a fault
  /// handler, `body` counts as a part of that call: its faults go to standard error.
  package static func carried(_ body: @escaping () -> Void) -> () -> Void {
    guard let outer = reporting.object else { return body }
    return {
      reporting.object = outer
      defer { reporting.object = nil }
      body()
    }
  }

  /// Passes a fault to `Flask.onFault`.
  static func report(_ fault: FlaskFault) { perform(shared.handler, with: fault) }

  /// Calls a handler. A fault that the handler causes would call it again without end; such a fault is written to
  /// standard error.
  static func perform(_ handler: Handler, with fault: FlaskFault) {
    if reporting.object != nil { return StandardErrorFaults.report(fault) }
    reporting.object = UnretainedReference(shared)
    defer { reporting.object = nil }
    handler(fault)
  }

  /// Performs `body` as code that no fault handler has called, such as a queued operation of another thread. Its faults
  /// are passed to the handler, although this thread is calling one.
  static func outside(_ body: () -> Void) {
    guard let outer = reporting.object else { return body() }
    reporting.object = nil
    defer { reporting.object = outer }
    body()
  }

  var current: Handler? {
    get { state.withLock { $0 }.handler }
    set {
      // The old handler is released after `state` is unlocked, since its release may run a `deinit` of client code.
      state.withLockReleasing { state in
        defer { state.handler = newValue }
        return state.handler
      }
    }
  }
}
