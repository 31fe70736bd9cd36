internal import Dispatch
internal import FlaskPrimitives

// The ends of rounds.
extension GroupWorker {
  func didSaveNothing(_ round: GroupRequests) {
    requests.withLock { $0.didSucceed() }
    leave(round.released)
    publishStatus(pendingRows: 0)
    if round.savers.isEmpty { return }
    // The place is known only if the group was read.
    let result = Result { session.position == nil ? try readNow() : place }
    for saver in round.savers { saver.resume(result) }
  }

  func didSave(_ round: GroupRequests, _ attempt: GroupSession.Attempt) {
    let isNews = requests.withLock { requests in
      requests.didSucceed()
      defer { requests.failures = attempt.failures }
      return requests.failures != attempt.failures && !attempt.failures.isEmpty
    }
    publishStatus(pendingRows: attempt.failures.count)
    let place = place
    let error = SharingError.rowsNotSaved(attempt.failures)
    if isNews { session.report(.archiveNotSaved, "the shared group \(session.name): \(error)") }
    for saver in round.savers { saver.resume(attempt.failures.isEmpty ? .success(place) : .failure(error)) }
    for transaction in round.transactions { transaction.didCommit(at: place) }
    leave(round.released)
  }

  func didFail(_ round: GroupRequests, _ error: SharingError, pendingRows: Int) {
    requests.withLock { $0.saveError = error }
    publishStatus(pendingRows: pendingRows)
    // A doubt is settled in any case.
    let isPending = error.isTemporary || session.doubt != nil
    var later = GroupRequests()
    for saver in round.savers {
      if error.isTemporary, saver.isPatient {
        later.savers.append(saver)
      } else {
        saver.resume(.failure(error))
      }
    }
    for transaction in round.transactions {
      if transaction.state == .done {
        // An earlier attempt has performed it, and its answer was lost.
        transaction.didCommit(at: place)
      } else if error.isTemporary, transaction.isPatient {
        later.transactions.append(transaction)
      } else {
        let isInDoubt = session.doubt?.transactions.contains { $0 === transaction } ?? false
        transaction.didFail(isInDoubt ? SharingError.unknownOutcome(reason: error.description) : error)
      }
    }
    if isPending { later.released = round.released } else { leave(round.released) }
    guard isPending else { return }
    let pause = requests.withLock { $0.didFail(later) }
    wake(pause.number, after: pause.delay)
  }

  /// Puts a round back.
  func again(_ round: GroupRequests, after delay: Double) {
    wake(requests.withLock { $0.postpone(round) }, after: delay)
  }

  private func wake(_ number: Int, after delay: Double) {
    queue.asyncAfter(deadline: .now() + delay) { [weak self] in self?.request { $0.wake(number) } }
  }

  func leave(_ parts: [SharedPart]) {
    if parts.isEmpty { return }
    reportPending(parts)
    for part in parts { session.leave(part) }
  }

  func reportPending(_ parts: [SharedPart]) {
    if let message = pendingMessage(parts) { session.report(.archiveNotSaved, message) }
  }

  /// The process ends. The report is made at once.
  func reportPendingAtExit() {
    guard let message = pendingMessage(Array(session.members.values)) else { return }
    session.members.values.first?.cell.report(.archiveNotSaved, message)
  }

  private func pendingMessage(_ parts: [SharedPart]) -> String? {
    let keys = session.pendingKeys(of: parts)
    if keys.isEmpty { return nil }
    return
      "what was changed in \(keys.sorted().joined(separator: ", ")) of the shared group \(session.name) is not saved"
  }
}
