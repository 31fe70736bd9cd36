/// How long a holder may rely on its lease, and when it renews it. It knows no clock: times are passed.
struct LeaseTerm: Sendable {
  enum State: Hashable, Sendable {
    case waiting
    /// Others can't take the lease before `until`, counted on the clock of this process.
    case held(Fence, until: Duration)
    case lost
    /// Its work is done.
    case ended
  }

  private(set) var state = State.waiting
  let length: Duration

  init(_ length: Duration) { self.length = length }

  /// An answer of the database to a request of this holder.
  ///
  /// - Parameters:
  ///   - fence: what it has written; `nil` if another holder has the lease.
  ///   - time: when it was asked. The lease counts from a later time there.
  mutating func didAnswer(_ fence: Fence?, askedAt time: Duration) {
    switch state {
    case .waiting:
      if let fence { state = .held(fence, until: time + length) }
    case .held(let own, _):
      // Another holder may have had it since.
      state = fence == own ? .held(own, until: time + length) : .lost
    case .lost, .ended: break
    }
  }

  /// Marks the lease as lost if its time is nearly over. A sixth of its length is kept in reserve, so that this holder
  /// stops before another one can start.
  ///
  /// - Returns: whether the lease can still be relied on.
  mutating func isHeld(at time: Duration) -> Bool {
    guard case .held(_, let until) = state else { return false }
    if time < until - length / 6 { return true }
    state = .lost
    return false
  }

  mutating func end() { state = .ended }

  /// The time after which the lease is asked for again.
  ///
  /// - Parameter didFail: whether the database has not answered.
  func pause(afterFailure didFail: Bool, jitter: Double = .random(in: 0.5...1)) -> Duration {
    switch state {
    case .waiting: min(.seconds(1), length / 2) * jitter
    case .held: didFail ? min(.seconds(1), length / 12) * jitter : length / 3
    case .lost, .ended: .zero
    }
  }

  /// When the lease counts as lost if it is not renewed; `nil` if it is not held.
  var deadline: Duration? {
    if case .held(_, let until) = state { until - length / 6 } else { nil }
  }
}
