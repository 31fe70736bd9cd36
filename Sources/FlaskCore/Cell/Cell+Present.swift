internal import FlaskPrimitives

// While a replay shows a past state as the committed state, the cell keeps its present state separately. These members
// keep, restore and remove it, and the state that archives save.
extension Cell {
  /// Whether the committed state is a past state, shown by a replay.
  package var isInThePast: Bool { notices & Notice.past != 0 }

  /// Keeps the committed state as the present state, before a replay shows a past state. Does nothing if a present
  /// state is kept already. Called by the performing thread.
  package func keepPresent() {
    if isInThePast { return }
    snapshotLock.withLock { _ in present = pinCommittedUnderLock() }
    setNotice(Notice.past, true)
  }

  /// Writes the present state, which was kept during a replay, into the draft. Called by the performing thread.
  package func draftPresent() {
    guard let box = snapshotLock.withLock({ _ in present }) else { return }
    _ = layout.copyDifferences(from: box.address, to: draft)
  }

  /// Removes the separately kept present state, once the committed state is no longer a past state. Called by the
  /// performing thread.
  package func forgetPresent() {
    setNotice(Notice.past, false)
    snapshotLock.withLock { _ in present.take() }?.unpin()
  }

  /// The present state, also while a replay shows a past state. It is pinned, so that it stays unchanged until the
  /// caller unpins it.
  package func pinPresent() -> StateBox {
    snapshotLock.withLock { _ in
      // The present state is kept before a past state is published, and dropped after the present state has been
      // published again.
      guard let present else { return pinCommittedUnderLock() }
      present.pin()
      return present
    }
  }

  /// The state that archives save: the present state without the changes that are pending (`StateKeeper`). It is pinned
  /// as by `pinPresent()`.
  package func pinSaved() -> StateBox {
    snapshotLock.withLock { _ in
      guard let box = confirmed ?? present else { return pinCommittedUnderLock() }
      box.pin()
      return box
    }
  }

  /// The present states of cells, pinned as by `pinPresent()`. The states of one flux are a consistent snapshot. States
  /// of different fluxes may be of different moments.
  package static func pinPresentTogether(_ cells: [Cell]) -> [StateBox] {
    var boxes: [StateBox?] = Array(repeating: nil, count: cells.count)
    while let first = zip(cells, boxes).first(where: { $1 == nil })?.0 {
      let own = cells.indices.filter { cells[$0].isOfSameFlux(as: first) }
      let pinned = first.snapshotLock.withLock { _ in pinnedUnderLock(own.map { cells[$0] }) }
      for (index, box) in zip(own, pinned) { boxes[index] = box }
    }
    return boxes.compactMap { $0 }
  }

  private static func pinnedUnderLock(_ cells: [Cell]) -> [StateBox] {
    // Repeated until no state has changed while they were collected: a mix of one substance publishes without the lock.
    while true {
      let boxes = cells.map { cell in
        guard let box = cell.present else { return cell.pinCommittedUnderLock() }
        box.pin()
        return box
      }
      let areTogether = zip(cells, boxes).allSatisfy { cell, box in
        cell.present != nil || cell.isCommitted(box)
      }
      if areTogether { return boxes }
      for box in boxes { box.unpin() }
    }
  }

  /// Sets the state without pending changes. Called by the performer, which holds `snapshotLock`.
  ///
  /// - Returns: the replaced state, to be released without the lock.
  func exchangeConfirmed(_ box: StateBox?) -> StateBox? {
    setNotice(Notice.pending, box != nil)
    defer { confirmed = box }
    return confirmed
  }
}
