internal import FlaskPrimitives
internal import Dispatch

/// A task that waits for a result of a group, at most for a while.
///
/// Any thread may give the result; the first one counts.
final class SharedWaiter<Value: Sendable>: Sendable {
  private struct State {
    var result: Result<Value, any Error>?
    var continuation: CheckedContinuation<Value, any Error>?
  }

  private let state = Lock(State())
  private let limit: Duration?
  private let deadline: DispatchTime

  init(atMost limit: Duration?) {
    self.limit = limit
    deadline =
      limit.map { DispatchTime(uptime: .nanoseconds(DispatchTime.now().uptimeNanoseconds) + $0) }
      ?? .distantFuture
  }

  /// Whether it waits for longer than the first failure.
  var isPatient: Bool { limit != nil && DispatchTime.now() < deadline }

  /// Whether it has a result.
  var isDone: Bool { state.withLock { $0.result != nil } }

  func resume(_ result: Result<Value, any Error>) {
    let continuation = state.withLock { state -> CheckedContinuation<Value, any Error>? in
      if state.result != nil { return nil }
      state.result = result
      return state.continuation.take()
    }
    continuation?.resume(with: result)
  }

  /// Waits for the result, until the task is cancelled or the time is over.
  func value() async throws -> Value {
    if let limit {
      DispatchQueue.global().asyncAfter(deadline: deadline) { [weak self] in
        self?.resume(.failure(SharingError.timedOut(after: limit)))
      }
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let known = state.withLock { state in
          if state.result == nil { state.continuation = continuation }
          return state.result
        }
        if let known { continuation.resume(with: known) }
      }
    } onCancel: {
      resume(.failure(CancellationError()))
    }
  }
}
