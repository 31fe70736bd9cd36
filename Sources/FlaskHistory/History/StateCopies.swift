/// A consistent snapshot of the states of a history's substances. The snapshot may be hypothetical, as if some steps
/// were undone or redone.
struct StateCopies {
  private var boxes: [StateBox]

  /// Copies the present states.
  init(of substances: [AnySubstance]) {
    boxes = substances.map { substance in
      let box = substance.cell.pinPresent()
      defer { box.unpin() }
      return box.copy()
    }
  }

  subscript(track: Int) -> UnsafeRawPointer { UnsafeRawPointer(boxes[track].address) }

  func box(_ track: Int) -> StateBox { boxes[track] }

  /// Returns these states with another one of one substance.
  func with(_ box: StateBox, at track: Int) -> StateCopies {
    var copies = self
    copies.boxes[track] = box
    return copies
  }

  /// Returns the states as they are after a step is undone or redone. Changes of the step that do not fit are skipped.
  func moved(by step: HistoryStep, backwards isBackwards: Bool) -> StateCopies {
    var moved = self
    step.forEachPart { part in
      let box = boxes[part.track].copy()
      _ = try? part.change.apply(to: box.address, lenient: true, backwards: isBackwards)
      moved.boxes[part.track] = box
    }
    return moved
  }

  /// Returns these states with the difference between `old` and `new` applied. These states are what `old` would be
  /// without an earlier change. See `Rebase`.
  func rebased(from old: StateCopies, to new: StateCopies, of substances: [AnySubstance]) -> StateCopies {
    var rebased = self
    for track in boxes.indices where old.boxes[track] !== new.boxes[track] {
      let box = boxes[track].copy()
      Rebase.apply(
        substances[track].subject.layout,
        from: old.boxes[track].address,
        to: new.boxes[track].address,
        onto: box.address
      )
      rebased.boxes[track] = box
    }
    return rebased
  }

  /// Returns the changes from these states to `others`, without excluded keys.
  func parts(to others: StateCopies, of substances: [AnySubstance], leavingOut leftOut: LeftOut?)
    -> [HistoryPart]
  {
    boxes.indices.compactMap { track in
      let old = boxes[track]
      let new = others.boxes[track]
      if old === new { return nil }
      let layout = substances[track].subject.layout
      let change = MemoryChange(layout, old: old.address, new: new.address, leavingOut: leftOut)
      return change.isEmpty ? nil : HistoryPart(track: track, change: change)
    }
  }
}
