internal import FlaskPrimitives
internal import Synchronization

/// Tasks that wait for one event. The object that stores this value guards it by a lock.
package struct WaitingTasks {
  /// Identifies one wait, so that it can be ended alone.
  package final class Ticket: Sendable {
    fileprivate let isOver = Atomic<Bool>(false)

    package init() {}
  }

  private var tasks: [ObjectIdentifier: CheckedContinuation<Void, Never>] = [:]

  package init() {}

  /// Removes and returns all waiting tasks. The caller must resume them while it holds no lock.
  package mutating func takeAll() -> [CheckedContinuation<Void, Never>] {
    defer { tasks = [:] }
    return Array(tasks.values)
  }

  /// Ends the wait with this ticket. If the task is not waiting yet, its wait ends as soon as it begins.
  package static func end(_ ticket: Ticket, _ access: (_ body: (inout WaitingTasks) -> Void) -> Void) {
    ticket.isOver.store(true, ordering: .sequentiallyConsistent)
    var ended: CheckedContinuation<Void, Never>?
    access { ended = $0.tasks.removeValue(forKey: ObjectIdentifier(ticket)) }
    ended?.resume()
  }

  /// Waits until the task is resumed by `takeAll` or `end`, or is cancelled.
  ///
  /// - Parameters:
  ///   - isCancellable: whether a cancellation ends the waiting.
  ///   - ticket: identifies the wait; no other wait has it.
  ///   - access: calls its argument with the waiting tasks, under their lock. If the event has happened, it does not
  ///     call the argument, and the task does not wait.
  package static func wait(
    isCancellable: Bool,
    ticket: Ticket = Ticket(),
    _ access: @Sendable (_ body: (inout WaitingTasks) -> Void) -> Void
  ) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        var isWaiting = false
        access { waiting in
          if isCancellable && Task.isCancelled || ticket.isOver.load(ordering: .sequentiallyConsistent) {
            return
          }
          waiting.tasks[ObjectIdentifier(ticket)] = continuation
          isWaiting = true
        }
        if !isWaiting { continuation.resume() }
      }
    } onCancel: {
      if isCancellable { end(ticket, access) }
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
