@_spi(FlaskInternals) internal import FlaskArchive

/// Reactions on their way to a reactor of another isolation, in the order of their commits.
final class ReactionMailbox: Sendable {
  private struct State {
    var waiting = FirstInFirstOut<ReactionRecord>()
    var isScheduled = false
  }

  private let state = Lock(State())

  /// Delivers `record` to `listener` now, after what still waits. The caller is on the listener’s isolation.
  func deliver(_ record: ReactionRecord, to listener: ReactionListener) {
    while let earlier = state.withLock({ $0.waiting.popFirst() }) { listener.handleNow(earlier) }
    listener.handleNow(record)
  }

  /// Lets `record` wait until the isolation has time.
  func post(_ record: ReactionRecord, to listener: ReactionListener, isolation: any Actor) {
    let mustSchedule = state.withLock { state in
      state.waiting.append(record)
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    if mustSchedule { Task { await self.deliverWaiting(to: listener, on: isolation) } }
  }

  private func deliverWaiting(to listener: ReactionListener, on isolation: isolated any Actor) {
    while let record = state.withLock({ state in
      let next = state.waiting.popFirst()
      if next == nil { state.isScheduled = false }
      return next
    }) {
      listener.handleNow(record)
    }
  }
}
