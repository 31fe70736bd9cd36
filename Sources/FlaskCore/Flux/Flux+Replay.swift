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
    over cells: [Cell],
    holding substances: any Sendable,
    in flux: Flux,
    at place: SourcePlace,
    _ body: @escaping @Sendable () throws -> Void
  ) -> FluxOperation {
    let didEnd: @Sendable (OperationResult) -> Void = { result in
      if result.isDone { for cell in cells { cell.forgetPresent() } }
    }
    return FluxOperation(
      OperationIdentity(way == .present ? .replay : .travel, at: place),
      in: flux,
      completion: way == .back ? didEnd : nil
    ) { transaction in
      transaction.mark = OutsideMark()
      if way == .past { for cell in cells { cell.keepPresent() } }
      for cell in cells {
        transaction.lend(cell)
        if way == .back { cell.draftPresent() }
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
  package func lockForReplay(at location: SourcePlace) -> FluxLock {
    let lock = FluxLock(flux: self, isAutoreleasing: false, isOfReplay: true, location: location)
    queue.decide { $0.lockForReplay(lock) }
    return lock
  }

  /// Drops the operations that wait and are caused by one of those with these numbers, as far as they were traced.
  package func dropWaiting(causedBy numbers: Set<Int>) {
    func isCaused(_ operation: FluxOperation) -> Bool {
      (operation.submission?.cause?.operation).map { numbers.contains($0) } ?? false
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

extension Cell {
  /// Whether the state is a past one.
  var isInThePast: Bool { hasNotice(Notice.past) }

  /// Keeps the committed state as the present one, unless one is kept. By the performer.
  fileprivate func keepPresent() {
    if isInThePast { return }
    snapshots.withLock { _ in present = pinCommittedUnderLock() }
    setNotice(Notice.past, true)
  }

  /// Writes the present state into the draft. By the performer.
  fileprivate func draftPresent() {
    guard let box = snapshots.withLock({ _ in present }) else { return }
    _ = layout.copyDifferences(from: box.address, to: draft)
  }

  /// The present state is the committed one again. By the performer.
  fileprivate func forgetPresent() {
    setNotice(Notice.past, false)
    snapshots.withLock { _ in present.take() }?.unpin()
  }

  /// The state that archives save, pinned: the committed one, or the present one while that is a past one.
  package func pinPresent() -> StateBox {
    snapshots.withLock { _ in
      // Kept before a past state is published, and taken after it has been published again.
      guard let present else { return pinCommittedUnderLock() }
      present.pin()
      return present
    }
  }
}
