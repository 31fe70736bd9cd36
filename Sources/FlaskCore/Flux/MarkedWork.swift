/// An operation over several substances that says whose it is.
struct MarkedWork: FluxWork {
  let substances: [Participant]
  let mark: any AnyObject & Sendable
  /// Whether the drafts are lent to the closure by their addresses, and not by `prop`.
  let isLent: Bool
  /// What it is called, and where it was asked for.
  let name: String?
  let place: SourcePlace
  let body: @Sendable () throws -> Void

  var identity: OperationIdentity {
    OperationIdentity(substances.count > 1 ? .chain : .mix, name: name, at: place)
  }

  func perform(in transaction: FluxTransaction, lock: FluxLock?, isolation: ActorIdentity) -> OperationResult
  {
    transaction.mark = mark
    defer { transaction.mark = nil }
    for participant in substances {
      transaction.enlist(participant)
      if isLent { participant.lendDraft() }
    }
    do {
      defer { if isLent { for participant in substances { participant.endWriting() } } }
      try body()
    } catch {
      transaction.discard()
      return .failed(error)
    }
    return transaction.commit(lock: lock, isolation: isolation)
  }
}
