@_spi(FlaskInternals) internal import FlaskArchive
internal import Synchronization

/// What goes on after an operation: effects, and the actions that they dispatch.
protocol FollowUp: AnyObject, Sendable {
  /// The operation has been performed, or dropped.
  func operationDidEnd()
  /// Returns once nothing goes on any more.
  func finished() async
}

/// The outcome of an operation that has not ended: filled once, awaited by any number of tasks.
///
/// Under contention there is one for each operation, and hardly any is ever awaited: so it has no lock of its own, and
/// none is taken unless somebody waits.
///
/// `@unchecked Sendable`: `result` is written once, before `phase` says so, and read after; `waiting` is touched under
/// `lock`.
final class PendingOutcome: @unchecked Sendable {
  private enum Phase {
    static var unknown: UInt8 { 0 }
    /// Unknown, and somebody waits for it.
    static var awaited: UInt8 { 1 }
    static var known: UInt8 { 2 }
  }

  /// One for all of them.
  private static let lock = Lock(())

  private let phase = Atomic<UInt8>(Phase.unknown)
  private var result = OperationResult.unchanged
  private var waiting: [CheckedContinuation<Void, Never>] = []
  /// What goes on after the operation, if anything does.
  let followUp: (any FollowUp)?
  private let flux: Flux

  init(of flux: Flux, followUp: (any FollowUp)? = nil) {
    self.flux = flux
    self.followUp = followUp
  }

  var outcomeIfKnown: FluxOutcome? { resultIfKnown?.outcome }

  var resultIfKnown: OperationResult? { phase.load(ordering: .acquiring) == Phase.known ? result : nil }

  var outcome: FluxOutcome {
    get async {
      if let outcomeIfKnown { return outcomeIfKnown }
      if let lock = PendingOutcome.lockOfThisTask(of: flux) {
        flux.report(
          .awaitedUnderLock,
          "an outcome is awaited inside `withLock`, which would never end: the operation waits for this very lock; "
            + "await it after `withLock`",
          at: lock.location
        )
        return .waiting
      }
      await ended()
      // By way of `phase`, as everybody reads it: a continuation orders it too, but ThreadSanitizer does not see that.
      guard let outcomeIfKnown else { preconditionFailure("ended() returns once the outcome is known") }
      return outcomeIfKnown
    }
  }

  /// Returns once the operation has ended.
  func ended() async {
    await withCheckedContinuation { continuation in
      let isKnown = PendingOutcome.lock.withLock { _ in
        let (_, before) = phase.compareExchange(
          expected: Phase.unknown,
          desired: Phase.awaited,
          ordering: .acquiringAndReleasing
        )
        if before == Phase.known { return true }
        waiting.append(continuation)
        return false
      }
      if isKnown { continuation.resume() }
    }
  }

  /// A lock of the flux that the running task holds: for an operation of the flux it would wait for ever.
  static func lockOfThisTask(of flux: Flux) -> FluxLock? {
    FluxLock.heldByTask.last { $0.flux === flux && $0.isHeld }
  }

  /// To be called once.
  func fill(_ result: consuming OperationResult) {
    self.result = result
    if phase.exchange(Phase.known, ordering: .acquiringAndReleasing) == Phase.awaited { resume() }
    followUp?.operationDidEnd()
  }

  private func resume() {
    let waiting = PendingOutcome.lock.withLock { _ in
      defer { self.waiting = [] }
      return self.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}
