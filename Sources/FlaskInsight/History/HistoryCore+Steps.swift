// What is done to steps that are recorded, as operations.
extension HistoryCore {
  /// Forgets the last step.
  func dropStep() {
    _ = steps.undo.pop()
    endStep()
    tell()
  }

  /// Makes the last two steps one: what both of them would take back now.
  func mergeStep() {
    guard let last = steps.undo.pop()?.step else { return }
    guard let first = steps.undo.pop()?.step else {
      return steps.undo.push(StepStack.Entry(last))
    }
    let now = StateCopies(of: substances)
    let before = now.moved(by: last, backwards: true).moved(by: first, backwards: true)
    let parts = before.parts(to: now, of: substances, leavingOut: leftOut)
    if let step = HistoryStep(name: first.name ?? last.name, number: last.number, parts) {
      steps.undo.push(StepStack.Entry(step))
    }
    for mark in steps.pending where [first.number, last.number].contains(mark.step) {
      mark.step = last.number
      mark.isMerged = true
    }
    endStep()
    tell()
  }

  // MARK: Optimistic changes

  /// An optimistic change holds: from here on its step is one as all others.
  func confirm(_ mark: HistoryMark) { steps.pending.removeAll { $0 === mark } }

  /// Takes back what is left of an optimistic change, and removes it from the steps.
  func takeBack(_ mark: HistoryMark) {
    confirm(mark)
    if let change = mark.change {
      remove(change, of: mark)
      if !mark.isUndone { takeBackNow(change) }
    }
    if let leftOut = mark.leftOut { takeBackNow(leftOut) }
  }

  private func takeBackNow(_ step: HistoryStep) {
    step.forEachPart { part in
      _ = try? part.change.apply(to: substances[part.track].lentDraft, lenient: true, backwards: true)
    }
  }

  /// Removes the step of a change, and makes each after it what it would be without the change: what differs between
  /// the states before and after that step if the change is taken back from both.
  ///
  /// Complexity: that of a comparison of the states for each of these steps.
  private func remove(_ change: HistoryStep, of mark: HistoryMark) {
    let undone = Array(steps.redo.steps.reversed())
    // In the order of time: the present lies before the first one that is undone.
    let all = steps.undo.steps + undone
    let present = all.count - undone.count
    let place = mark.step < 0 ? nil : all.firstIndex { $0.number == mark.step }
    // A step that was dropped because of its age came before all that are there.
    guard let first = place ?? (mark.isUndone ? nil : 0) else { return }
    var states = [StateCopies(of: substances)]
    let start = min(first, present)
    for step in all[start..<present].reversed() {
      states.insert(states[0].moved(by: step, backwards: true), at: 0)
    }
    for step in undone { states.append(states[states.count - 1].moved(by: step, backwards: false)) }
    for index in states.indices where start + index > first || place == nil {
      states[index] = states[index].moved(by: change, backwards: true)
    }
    let rest = all.indices.map { index -> HistoryStep? in
      let (step, before) = (all[index], index - start)
      if index < first { return step }
      if index == place, !mark.isMerged { return nil }
      let parts = states[before].parts(to: states[before + 1], of: substances, leavingOut: leftOut)
      return HistoryStep(name: step.name, number: step.number, parts)
    }
    replaceSteps(rest[..<present].compactMap(\.self), rest[present...].compactMap(\.self).reversed())
  }
}
