internal import Synchronization

// A reaction that mixes causes further reactions. A chain of such reactions is no error, but a long chain is reported
// as a fault.
extension Flux {
  /// The length at which a chain of operations, each caused by the operation before it, is reported as a fault, once.
  static let causeLimit = 512

  /// The number of operations that have led to an operation that this thread submits now. It is above 0 only on the
  /// thread that notifies the listeners of this flux, or that was the last to notify them. It is also above 0 during
  /// the delivery of a commit that was queued for an isolation.
  ///
  /// The number is only computed when an operation or a commit has to wait. An operation that finds the flux idle
  /// starts a new chain, unless its own commit is queued for an isolation (`WaitingCommit.causeCount`).
  var causeCount: Int {
    if let delivered = DeliveryQueue.delivered { return delivered.use { $0.causeCount } + 1 }
    if queue.notifyingThread.load(ordering: .relaxed) != ThreadIdentity.current { return 0 }
    return drafts.causeCount.load(ordering: .relaxed) + 1
  }

  /// Called when an operation with a cause has ended. Reports the chain if this was its operation number `causeLimit`,
  /// and has changed a key.
  @inline(never)
  func endCaused(_ operation: FluxOperation, _ result: OperationResult) {
    drafts.causeCount.store(0, ordering: .relaxed)
    guard operation.causeCount == Flux.causeLimit, case .committed(let keys) = result else { return }
    reportChain(of: keys.names, at: operation.identity.place)
  }

  func reportChain(of keys: [String], at place: SourcePlace) {
    // A state without properties has one key, whose name is empty. The message calls this key "the state".
    let names = keys.map { $0.isEmpty ? "the state" : "`\($0)`" }
    report(
      .endlessReaction,
      "\(Flux.causeLimit) operations have led to each other, and each is followed by another: the last one changed "
        + "\(names.joined(separator: ", ")), and what observes that submits the next; have the observer or reactor mix "
        + "only if something is left to be changed",
      at: place
    )
  }

  /// Refuses an operation that must not be submitted, and sets its `causeCount`. Called before an operation is queued.
  /// Also called for each operation that comes with a lock, or belongs to a replay, even if it is performed at once.
  ///
  /// - Returns: `false` if it was refused; then it has ended as `aborted`, and its lock is released.
  func admit(_ operation: FluxOperation) -> Bool {
    if refuseInDerivedValue(operation) || refuseAtEnd(operation) { return false }
    operation.causeCount = causeCount
    return true
  }

  /// Refuses an operation that the closure of a derived value submits, since the operation could cause the value to be
  /// recomputed without end. The observers of the operation would also read on behalf of the closure.
  ///
  /// - Returns: whether the operation was refused; then it has ended as `aborted`.
  private func refuseInDerivedValue(_ operation: FluxOperation) -> Bool {
    guard operation.isOfClient, CurrentReader.isComputing else { return false }
    report(
      .derivedMixes,
      "the closure of a derived value submits an operation, which was aborted; a derived value follows from states and "
        + "changes none: mix where the states change, or in an observer of the derived value",
      at: operation.identity.place
    )
    operation.drop(as: .aborted)
    return true
  }

  /// Refuses an operation that is submitted during the exit of the process, since its changes could not be saved.
  ///
  /// - Returns: whether the operation was refused; then it has ended as `aborted`.
  private func refuseAtEnd(_ operation: FluxOperation) -> Bool {
    guard queue.refuses(operation) else { return false }
    // The fault `lostAtExit` is reported once for each flux, since threads may submit operations for seconds. It is not
    // reported for operations that no client has submitted.
    if operation.isLossReported && once.isFirst(.ending, ObjectIdentifier(Flux.self)) {
      report(
        .lostAtExit,
        "an operation was submitted while the process ends: it is aborted, and so are all after it; have threads end before `exit`",
        at: operation.identity.place
      )
    }
    operation.drop(as: .aborted)
    return true
  }
}
