internal import FlaskArchive

/// Reactions on their way to a reactor of another isolation, in the order of their commits.
final class ReactionMailbox: Sendable {
  private struct State {
    var waiting = FirstInFirstOut<FlaskReaction>()
    var isScheduled = false
  }

  private let state = Lock(State())

  /// Delivers `reaction` to `reactor` now, after what still waits. The caller is on the reactor's isolation.
  func deliver(_ reaction: FlaskReaction, to reactor: AnyReactor) {
    while let earlier = state.withLock({ $0.waiting.popFirst() }) { reactor.handleNow(earlier) }
    reactor.handleNow(reaction)
  }

  /// Lets `reaction` wait until the isolation has time.
  func post(_ reaction: FlaskReaction, to reactor: AnyReactor, isolation: any Actor) {
    let mustSchedule = state.withLock { state in
      state.waiting.append(reaction)
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    if mustSchedule { Task { await self.deliverWaiting(to: reactor, on: isolation) } }
  }

  private func deliverWaiting(to reactor: AnyReactor, on isolation: isolated any Actor) {
    while let reaction = state.withLock({ state in
      let next = state.waiting.popFirst()
      if next == nil { state.isScheduled = false }
      return next
    }) {
      reactor.handleNow(reaction)
    }
  }
}
