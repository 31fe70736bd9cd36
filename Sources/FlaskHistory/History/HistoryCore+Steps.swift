// Changes to recorded steps, as operations.
extension HistoryCore {
  /// Forgets the last step.
  func dropStep() {
    _ = steps.undo.pop()
    endStep()
    publishStatus()
  }

  /// Merges the last two steps into one step. Undoing the merged step has the effect of undoing both steps now.
  func mergeStep() {
    guard let last = steps.undo.pop()?.step else { return }
    guard let first = steps.undo.pop()?.step else {
      return steps.undo.push(StepStack.Entry(last))
    }
    let now = StateCopies(of: substances)
    let before = now.moved(by: last, backwards: true).moved(by: first, backwards: true)
    let parts = before.parts(to: now, of: substances, leavingOut: leftOut)
    let both = HistoryStep(name: first.name ?? last.name, number: last.number, parts)
    if let both { steps.undo.push(StepStack.Entry(both)) }
    steps.pending.merge(first, into: last.number, both)
    endStep()
    publishStatus()
  }

  // MARK: Optimistic changes

  /// Confirms an optimistic change. From now on its step is treated like any other step, and archives save it.
  func confirm(_ mark: HistoryMark) {
    mark.isAnswered = true
    steps.pending.remove(mark, of: substances)
    settleConfirmed()
  }

  /// Reverts an optimistic change: states and steps become what they would be without the change.
  ///
  /// Complexity: the states are compared for each commit since the oldest pending change, and for each change that has
  /// failed since then.
  func takeBack(_ mark: HistoryMark) {
    mark.isAnswered = true
    if let course = steps.pending.fail(mark, of: substances, leavingOut: leftOut) {
      for part in StateCopies(of: substances).parts(to: course.states, of: substances, leavingOut: nil) {
        let cell = substances[part.track].cell
        _ = try? part.change.apply(to: cell.draft, lenient: true)
        // A commit that changed only hidden properties is not kept, so it was not replayed. Its values stay.
        cell.copyHidden(
          from: cell.performersCommittedBox.address,
          unlessIn: course.known[part.track],
          to: cell.draft
        )
      }
      replaceSteps(steps.undo.steps.compactMap(course.step), steps.redo.steps.compactMap(course.step))
    }
    steps.pending.remove(mark, of: substances)
    // If no draft has changed, nothing is published, so the states that archives save are exchanged here. Otherwise
    // `willPublish` exchanges them.
    if substances.allSatisfy({ !$0.cell.isDraftChanged }) { settleConfirmed() }
  }
}
