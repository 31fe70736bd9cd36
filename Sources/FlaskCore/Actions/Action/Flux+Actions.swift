@_spi(FlaskInternals) internal import FlaskArchive

extension Flux {
  /// The default dispatcher of this flux; the one of `Flask.bus` is that of the app.
  ///
  /// Beside its workers it reaches each living substance of the flux that defines an action. The flux holds it, and it
  /// holds its workers, which hold the flux: of a flux of one's own, unregister them when it has served (`unregisterAll()`).
  public var dispatcher: FluxDispatcher {
    ownDispatcher.withLock { own in
      if let own { return own }
      let new = FluxDispatcher(defaultOf: self)
      own = new
      return new
    }
  }

  /// Performs an action now, or lets it wait.
  ///
  /// - Parameter promised: where the outcome is awaited already.
  func submit(_ call: ActionCall, promised: PendingOutcome? = nil, isolation: ActorIdentity) -> FluxReceipt {
    var call = call
    if performer.actions.isRunningHere && call.tracker == nil {
      call.tracker = performer.actions.trackerMade()
    }
    if promised == nil { call.tracker?.enter() }
    call.run?.enter()
    if let pending = beginOrWait(&call, promised) { return FluxReceipt(pending) }
    let (result, tracker) = performer.perform(call, isolation: isolation)
    if let promised {
      promised.fill(result)
    } else {
      call.run?.leave()
      tracker?.leave()
    }
    if !queue.finishAlone() { goOn(isolation: isolation) }
    if let promised { return FluxReceipt(promised) }
    return tracker.map { FluxReceipt(result, tracker: $0) } ?? FluxReceipt(result)
  }

  /// `nil` if the caller is to perform the action now.
  private func beginOrWait(_ call: inout ActionCall, _ promised: PendingOutcome?) -> PendingOutcome? {
    if queue.beginAlone() { return nil }
    return queue.decide { queue in
      if queue.beginAtOnce() { return nil }
      let tracker = call.tracker ?? ActionTracker()
      call.tracker = tracker
      let pending = promised ?? PendingOutcome(tracker: tracker, run: call.run)
      queue.wait(WaitingOperation(operation: .action(call), pending: pending))
      return pending
    }
  }
}
