extension HistoryCore: StateKeeper {
  /// Rebases steps and pending changes on a state from a `DeferredArchive`. Before, their old values come from the
  /// placeholder with which the substance was made. Afterwards they come from the archived state.
  func rebase(
    _ cell: Cell,
    since operation: Int,
    from placeholder: StateBox,
    _ rebased: (StateBox) -> StateBox
  ) {
    guard let track = track(of: cell) else { return }
    withoutActuallyEscaping(rebased) { rebased in
      let rebasing = Rebasing(placeholder: placeholder, rebased: rebased)
      if steps.pending.isLater(than: operation) {
        steps.pending.rebase(track, of: substances, leavingOut: leftOut, rebasing)
        // The arrival may change no key, so that nothing is published.
        _ = renewConfirmed()
      }
      let undo = steps.undo.steps
      let redo = steps.redo.steps
      // Restored steps have the number -1, so they are skipped. They were recorded from the archived state, and need no
      // rebase.
      let isAny = (undo + redo).contains { $0.number > operation && $0.part(of: track) != nil }
      guard isAny else { return }
      replaceSteps(
        moved(undo, of: track, since: operation, backwards: true, rebasing),
        moved(redo, of: track, since: operation, backwards: false, rebasing)
      )
    }
  }

  /// Returns steps with the changes that they would have if the substance had been made with the state that was read.
  ///
  /// - Parameter steps: the steps that lead away from the present state, the last one first.
  private func moved(
    _ steps: [HistoryStep],
    of track: Int,
    since operation: Int,
    backwards isBackwards: Bool,
    _ rebasing: Rebasing
  ) -> [HistoryStep] {
    var state = substances[track].cell.performersCommittedBox
    var moved: [HistoryStep] = []
    for var step in steps.reversed() {
      if let part = step.part(of: track) {
        let last = state
        state = state.copy()
        if step.number > operation {
          let change = part.change.moved(
            from: last,
            to: state,
            backwards: isBackwards,
            leavingOut: leftOut,
            rebasing
          )
          step.set(HistoryPart(track: track, change: change))
        } else {
          _ = try? part.change.apply(to: state.address, lenient: true, backwards: isBackwards)
        }
      }
      if !step.isEmpty { moved.append(step) }
    }
    return moved.reversed()
  }
}
