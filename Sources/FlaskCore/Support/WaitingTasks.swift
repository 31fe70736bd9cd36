internal import FlaskPrimitives

/// Tasks that wait for one event. The object that stores this value guards it by a lock.
package struct WaitingTasks {
  private final class Ticket: Sendable {}

  private var tasks: [ObjectIdentifier: CheckedContinuation<Void, Never>] = [:]

  package init() {}

  /// Removes and returns all waiting tasks. The caller must resume them while it holds no lock.
  package mutating func takeAll() -> [CheckedContinuation<Void, Never>] {
    defer { tasks = [:] }
    return Array(tasks.values)
  }

  /// Waits until the task is resumed by `takeAll`, or is cancelled.
  ///
  /// - Parameters:
  ///   - isCancellable: whether a cancellation ends the waiting.
  ///   - access: passes the waiting tasks, under their lock, while the event is pending.
  package static func wait(
    isCancellable: Bool,
    _ access: @Sendable (_ body: (inout WaitingTasks) -> Void) -> Void
  ) async {
    let ticket = Ticket()
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        var isWaiting = false
        access { waiting in
          if isCancellable && Task.isCancelled { return }
          waiting.tasks[ObjectIdentifier(ticket)] = continuation
          isWaiting = true
        }
        if !isWaiting { continuation.resume() }
      }
    } onCancel: {
      guard isCancellable else { return }
      var cancelled: CheckedContinuation<Void, Never>?
      access { cancelled = $0.tasks.removeValue(forKey: ObjectIdentifier(ticket)) }
      cancelled?.resume()
    }
    // This empty access takes the lock, so that sanitizers see that the resuming thread precedes this one. They do not
    // see how a continuation is resumed.
    access { _ in }
  }
}

/// Suspends until another thread has made a value, and returns the value. A lock orders the two threads for sanitizers,
/// which do not see how a continuation is resumed.
///
/// - Parameter begin: gets a function, which the producer of the value calls once.
package func handedOver<Value: Sendable>(
  _ begin: (@escaping @Sendable (Value) -> Void) -> Void
) async -> Value {
  let order = Lock(())
  let value = await withCheckedContinuation { continuation in
    begin { value in
      order.withLock { _ in }
      continuation.resume(returning: value)
    }
  }
  return order.withLock { _ in value }
}
