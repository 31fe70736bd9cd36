internal import FlaskPrimitives

// The states without the pending changes, which archives save.
extension HistoryCore {
  func willPublish(in drafts: OperationDrafts) -> [Cell] {
    let mark = drafts.mark
    let isPending = (mark as? HistoryMark).map { $0.isOf(self) && $0.isPending } ?? false
    if steps.confirmed.isEmpty, !isPending { return [] }
    if let outside = mark as? OutsideMark {
      if outside.isTravel { return [] }
      // The states were rebased on this one: see `rebase`.
      if let began = outside.began, steps.pending.isLater(than: began) { return [] }
    }
    // The history itself performs the operation: an undo, a redo, or the revert of a failed change. A failed change is
    // no longer pending.
    if mark === self { return renewConfirmed(after: steps.pending.undo) }
    var cells: [Cell] = []
    drafts.forEachEnlisted { cell in
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
    // `other` lacks the pending changes of other histories. The changes of this history are removed from it: the
    // difference that leads from the draft to `own` is applied to a copy.
    let both = other.copy()
    Rebase.apply(cell.layout, from: cell.draftBox.address, to: own.address, onto: both.address)
    return both
  }

  /// Exchanges the states that archives save, where no commit does it. This is needed when a change was confirmed, or
  /// when a change failed whose revert changes no state.
  func settleConfirmed() {
    let cells = renewConfirmed()
    guard let flux = cells.first?.flux else { return }
    flux.stateKeepers.exchangeConfirmed(of: cells)
    for cell in cells { cell.savedStateDidChange() }
  }

  /// Computes the states without pending changes from the kept commits. A commit that changed only hidden properties
  /// (`_name`) is not kept, so these values are copied from the drafts.
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
