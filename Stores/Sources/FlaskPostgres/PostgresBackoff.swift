internal import FlaskSharing

/// When a connection is tried again: after a tenth of a second, and then after up to two seconds. Jitter keeps many
/// processes from coming at once.
struct PostgresBackoff: Sendable {
  private enum State: Sendable {
    case reached
    case failed(count: Int, until: Double, RecordStoreError)
  }

  private var state = State.reached

  /// The last failure, if the next attempt is not due.
  func error(at time: Double) -> RecordStoreError? {
    guard case .failed(_, let until, let error) = state, time < until else { return nil }
    return error
  }

  /// The seconds until the next attempt is due.
  func rest(at time: Double) -> Double {
    if case .failed(_, let until, _) = state { max(0, until - time) } else { 0 }
  }

  mutating func didSucceed() { state = .reached }

  /// - Returns: the seconds until the next attempt.
  @discardableResult
  mutating func didFail(
    _ error: RecordStoreError,
    at time: Double,
    jitter: Double = .random(in: 0.5...1)
  ) -> Double {
    var failures = 1
    if case .failed(let count, _, _) = state { failures = count + 1 }
    let delay = min(2, 0.1 * Double(1 << min(failures, 6))) * jitter
    state = .failed(count: failures, until: time + delay, error)
    return delay
  }
}

extension RecordStoreError {
  init(connecting error: any Error) {
    switch error {
    case let error as RecordStoreError: self = error
    case let failure as PostgresFailure: self = .unavailable(failure.message)
    default: self = .unavailable("\(error)")
    }
  }
}
