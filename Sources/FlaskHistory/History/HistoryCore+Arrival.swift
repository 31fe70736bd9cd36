extension HistoryCore: StateKeeper {
  /// Replaces the old values of steps and of pending changes that come from a placeholder by those of the state that
  /// was read.
  func rebase(_ cell: Cell, since operation: Int, _ rebased: (StateBox) -> StateBox) {
    guard let track = track(of: cell) else { return }
    steps.pending.rebase(track, since: operation, of: substances, rebased)
    let undo = steps.undo.steps
    let redo = steps.redo.steps
    // Restored steps have the number -1: they lead away from the archived state already.
    guard (undo + redo).contains(where: { $0.number > operation && $0.part(of: track) != nil }) else {
      return
    }
    replaceSteps(
      moved(undo, of: track, since: operation, backwards: true, rebased),
      moved(redo, of: track, since: operation, backwards: false, rebased)
    )
  }

  /// Returns steps with the changes that they would have if the substance had been made with the state that was read.
  ///
  /// - Parameter steps: the steps that lead away from the present state, the last one first.
  private func moved(
    _ steps: [HistoryStep],
    of track: Int,
    since operation: Int,
    backwards isBackwards: Bool,
    _ rebased: (StateBox) -> StateBox
  ) -> [HistoryStep] {
    let cell = substances[track].cell
    var state = cell.performersCommittedBox
    var new = rebased(state)
    var moved: [HistoryStep] = []
    for step in steps.reversed() {
      guard step.number > operation, let part = step.part(of: track) else {
        moved.append(step)
        continue
      }
      let before = new
      state = state.copy()
      let made = try? part.change.apply(to: state.address, lenient: true, backwards: isBackwards)
      new = rebased(state)
      guard case .whole? = made else {
        // A change that does not fit the present state stays as it is.
        moved.append(step)
        continue
      }
      let ends = isBackwards ? (old: new, new: before) : (old: before, new: new)
      let change = withExtendedLifetime(ends) {
        MemoryChange(cell.layout, old: ends.old.address, new: ends.new.address, leavingOut: leftOut)
      }
      var step = step
      step.set(HistoryPart(track: track, change: change))
      if !step.isEmpty { moved.append(step) }
    }
    return moved.reversed()
  }
}
