internal import FlaskPrimitives

/// Marks an operation that writes states from elsewhere over those of substances, such as those of a recording, or of
/// an archive that others write: nobody takes it back.
package final class OutsideMark: Sendable { package init() {} }

/// Writes states over those of substances, and keeps what was there, so that it is what archives save.
enum ReplayWay: Sendable {
  /// The states are the present from here on.
  case present
  /// The states are a past one: archives keep to the present, from the first such operation on.
  case past
  /// The present comes back.
  case back
}

extension FluxOperation {
  static func replay(
    _ way: ReplayWay,
    over participants: [Participant],
    holding substances: any Sendable,
    in flux: Flux,
    at place: SourcePlace,
    _ body: @escaping @Sendable () throws -> Void
  ) -> FluxOperation {
    let didEnd: @Sendable (OperationResult) -> Void = { result in
      if result.isDone { for participant in participants { participant.forgetPresent() } }
    }
    return FluxOperation(
      OperationIdentity(way == .present ? .replay : .travel, at: place),
      in: flux,
      completion: way == .back ? didEnd : nil
    ) { transaction in
      transaction.mark = OutsideMark()
      if way == .past { for participant in participants { participant.keepPresent() } }
      for participant in participants {
        transaction.lend(participant)
        if way == .back { participant.draftPresent() }
      }
      try body()
      return .commitHolding(substances)
    }
  }
}

extension Flux {
  /// Holds this flux for a replay: only what the replay performs goes on, not even what brings a lock of its own.
  ///
  /// - Returns: what ends that, by `endReplay(isolation:)`.
  package func lockForReplay(at location: SourceLocation) -> FluxLock {
    let lock = FluxLock(flux: self, isAutoreleasing: false, isOfReplay: true, location: location)
    queue.decide { $0.lockForReplay(lock) }
    return lock
  }

  /// Drops the operations that wait and are caused by one of those with these numbers, as far as they were traced.
  package func dropWaiting(causedBy numbers: Set<Int>) {
    func isCaused(_ operation: FluxOperation) -> Bool {
      (operation.submission?.submission.cause?.operation).map { numbers.contains($0) } ?? false
    }
    while dropFirst(where: isCaused) {}
  }

  /// Drops the first operation that waits and that is a certain one.
  package func dropFirstWaiting(where isIt: (OperationIdentity) -> Bool) {
    _ = dropFirst { isIt($0.identity) }
  }

  private func dropFirst(where isIt: (FluxOperation) -> Bool) -> Bool {
    guard let dropped = queue.decide({ $0.removeFirst(where: isIt) }) else { return false }
    dropped.drop()
    return true
  }
}

/// The present states of substances that show the past; one for each flux.
final class PresentStates: Sendable {
  /// Pinned for this table.
  private let boxes = Lock<[ObjectIdentifier: StateBox]>([:])

  func keep(_ box: StateBox, of participant: Participant) {
    boxes.withLock { $0[ObjectIdentifier(participant)] = box }
  }

  func take(_ participant: Participant) -> StateBox? {
    boxes.withLock { $0.removeValue(forKey: ObjectIdentifier(participant)) }
  }

  /// The state, pinned once more.
  func pinned(_ participant: Participant) -> StateBox? {
    boxes.withLock { boxes in
      let box = boxes[ObjectIdentifier(participant)]
      box?.pin()
      return box
    }
  }
}

extension Participant {
  private var presentStates: PresentStates { flux.attachment { _ in PresentStates() } }

  /// Whether the state is a past one.
  var isInThePast: Bool { hasNotice(Notice.past) }

  /// Keeps the committed state as the present one, unless one is kept. By the performer.
  fileprivate func keepPresent() {
    if isInThePast { return }
    presentStates.keep(pinCommitted(), of: self)
    setNotice(Notice.past, true)
  }

  /// Writes the present state into the draft. By the performer.
  fileprivate func draftPresent() {
    guard let box = presentStates.pinned(self) else { return }
    _ = layout.copyDifferences(from: box.address, to: draft)
    box.unpin()
  }

  /// The present state is the committed one again. By the performer.
  fileprivate func forgetPresent() {
    setNotice(Notice.past, false)
    presentStates.take(self)?.unpin()
  }

  /// The state that archives save, pinned: the committed one, or the present one while that is a past one.
  package func pinPresent() -> StateBox {
    while true {
      let box = pinCommitted()
      // In an order that all threads agree on, a past state is published after the notice was set, and the notice is
      // withdrawn after the present has been published again.
      if isInThePast {
        box.unpin()
        if let present = presentStates.pinned(self) { return present }
      } else if isCommitted(box) {
        return box
      } else {
        box.unpin()
      }
    }
  }
}
