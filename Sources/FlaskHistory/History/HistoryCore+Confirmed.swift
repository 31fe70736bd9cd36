internal import FlaskPrimitives

// The states without the pending changes, which archives save.
extension HistoryCore {
  func willPublish(in transaction: FluxTransaction) -> [Cell] {
    let mark = transaction.mark
    let isPending = (mark as? HistoryMark).map { $0.isOf(self) && $0.isPending } ?? false
    if steps.confirmed.isEmpty, !isPending { return [] }
    if let outside = mark as? OutsideMark {
      if outside.isTravel { return [] }
      // The states were rebased on this one: see `rebase`.
      if let began = outside.began, steps.pending.isLater(than: began) { return [] }
    }
    // An undo, a redo, or the end of a failed change, which is no longer among the pending ones.
    if mark === self { return renewConfirmed(after: steps.pending.undo) }
    var cells: [Cell] = []
    transaction.forEachEnlisted { cell in
      guard cell.changes.pointee.hasDirty, let track = track(of: cell) else { return }
      let old = cell.performersCommittedBox
      if let confirmed = steps.confirmed[track] {
        // A change of hidden properties alone is not recorded, so it is not pending.
        if isPending, !cell.changes.pointee.isEmpty { return }
        let box = confirmed.copy()
        Rebase.apply(cell.layout, from: old.address, to: cell.draftBox.address, onto: box.address)
        steps.confirmed[track] = box
      } else {
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
    for cell in cells { cell.savedStateDidChange() }
  }

  /// Computes the states without pending changes from the kept commits. Hidden properties that were changed alone,
  /// which is in no commit, are those of the drafts.
  ///
  /// - Parameter undo: the step that the operation in progress undoes or redoes.
  /// - Returns: the substances that have such a state, or had one.
  func renewConfirmed(after undo: (step: HistoryStep, backwards: Bool)? = nil) -> [Cell] {
    let tracks = steps.confirmed.keys.sorted()
    if tracks.isEmpty { return [] }
    let course = steps.pending.withoutPending(of: substances, leavingOut: leftOut)
    var states = course?.states
    var known = course?.known
    if let undo {
      known = known?.moved(by: undo.step, backwards: undo.backwards)
      if let step = course?.step(undo.step) { states = states?.moved(by: step, backwards: undo.backwards) }
    }
    for track in tracks {
      let box = states?.box(track).copy()
      if let box, let known {
        let cell = substances[track].cell
        cell.copyHidden(from: cell.draft, unlessIn: known[track], to: box.address)
      }
      steps.confirmed[track] = box
    }
    return tracks.map { substances[$0].cell }
  }

  func track(of cell: Cell) -> Int? { substances.firstIndex { $0.cell === cell } }
}
