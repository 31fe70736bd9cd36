internal import FlaskPrimitives

// The states without the pending changes, which archives save.
extension HistoryCore {
  func willPublish(in transaction: FluxTransaction) -> [Cell] {
    let mark = transaction.mark
    let outside = mark as? OutsideMark
    let isPending = (mark as? HistoryMark).map { $0.isOf(self) && $0.kind == .optimistic } ?? false
    if outside?.isTravel ?? false { return [] }
    if steps.confirmed.isEmpty, !isPending { return [] }
    // An undo, a redo, or the end of a failed change, which is no longer among the pending ones.
    if mark === self { return renewConfirmed(after: steps.pending.undo) }
    // The pending changes were rebased on this state: see `rebase`.
    if let began = outside?.began, steps.pending.isLater(than: began) { return renewConfirmed() }
    var cells: [Cell] = []
    transaction.forEachEnlisted { cell in
      guard cell.changes.pointee.hasDirty, let track = track(of: cell) else { return }
      let old = cell.performersCommittedBox
      if let confirmed = steps.confirmed[track] {
        if isPending { return }
        let box = confirmed.copy()
        Rebase.apply(cell.layout, from: old.address, to: cell.draftBox.address, onto: box.address)
        steps.confirmed[track] = box
      } else {
        // A change of hidden properties alone is not recorded, so it is never reverted.
        if !isPending || cell.changes.pointee.isEmpty { return }
        steps.confirmed[track] = old.copy()
      }
      cells.append(cell)
    }
    return cells
  }

  func confirmed(_ cell: Cell, besides other: StateBox?) -> StateBox? {
    guard let track = track(of: cell), let own = steps.confirmed[track] else { return other }
    guard let other else { return own }
    // As if the changes of the other histories had failed first.
    let both = other.copy()
    Rebase.apply(cell.layout, from: cell.draftBox.address, to: own.address, onto: both.address)
    return both
  }

  /// Exchanges the states without a commit: a change was confirmed, or one failed that had no effect.
  func settleConfirmed() {
    let cells = renewConfirmed()
    guard let flux = cells.first?.flux else { return }
    flux.stateKeepers.exchangeConfirmed(of: cells)
    for substance in substances where cells.contains(where: { $0 === substance.cell }) {
      substance.savedStateDidChange()
    }
  }

  /// Computes the states without pending changes from the kept commits.
  ///
  /// - Parameter undo: the step that the operation in progress undoes or redoes.
  /// - Returns: the substances that have such a state, or had one.
  private func renewConfirmed(after undo: (step: HistoryStep, backwards: Bool)? = nil) -> [Cell] {
    let tracks = steps.confirmed.keys.sorted()
    if tracks.isEmpty { return [] }
    let course = steps.pending.withoutPending(of: substances, leavingOut: leftOut)
    var states = course?.states
    if let undo, let step = course?.step(undo.step) {
      states = states?.moved(by: step, backwards: undo.backwards)
    }
    for track in tracks { steps.confirmed[track] = states?.box(track) }
    return tracks.map { substances[$0].cell }
  }

  func track(of cell: Cell) -> Int? { substances.firstIndex { $0.cell === cell } }
}
