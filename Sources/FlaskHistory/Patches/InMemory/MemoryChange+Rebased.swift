/// The placeholder with which a substance was made, and the function that rebases states on the archived state. The
/// archive was a `DeferredArchive`, which is read after the substance has been made.
struct Rebasing {
  let placeholder: StateBox
  /// Converts a state of the substance. Returns the state that the substance would have had, if it had been made with
  /// the archived state.
  let rebased: (StateBox) -> StateBox
}

extension MemoryChange {
  /// Returns this change as it would be if the substance had been made with the archived state.
  ///
  /// - Parameters:
  ///   - last: the state to which the change is applied: if `isBackwards`, the state after the change, otherwise the
  ///     state before it.
  ///   - state: a copy of `last`. This function applies the change to it, and skips units that do not fit.
  ///   - isBackwards: whether the change is undone.
  ///   - leftOut: the excluded keys.
  func moved(
    from last: StateBox,
    to state: StateBox,
    backwards isBackwards: Bool,
    leavingOut leftOut: LeftOut?,
    _ rebasing: Rebasing
  ) -> MemoryChange {
    var fitting: Set<Int> = []
    var moved: [Unit] = []
    for unit in units {
      if MemoryChange(layout, [unit]).fits(state, backwards: isBackwards) {
        fitting.insert(unit.leaf)
      } else {
        moved += self.moved(unit, leavingOut: leftOut, rebasing)
      }
    }
    if !fitting.isEmpty {
      let ends = isBackwards ? (old: state, new: last) : (old: last, new: state)
      moved += between(ends.old, ends.new, leavingOut: leftOut, rebasing).filter { fitting.contains($0.leaf) }
    }
    return MemoryChange(layout, moved.sorted { $0.leaf < $1.leaf })
  }

  /// Rebases a unit that does not fit the present state, since another operation has changed the value. This is
  /// possible if the placeholder has the old or the new value of the unit. Otherwise the unit is returned unchanged.
  private func moved(_ unit: Unit, leavingOut leftOut: LeftOut?, _ rebasing: Rebasing) -> [Unit] {
    let change = MemoryChange(layout, [unit])
    for isBackwards in [false, true] {
      let other = rebasing.placeholder.copy()
      if !change.fits(other, backwards: isBackwards) { continue }
      let ends =
        isBackwards ? (old: other, new: rebasing.placeholder) : (old: rebasing.placeholder, new: other)
      return between(ends.old, ends.new, leavingOut: leftOut, rebasing).filter { $0.leaf == unit.leaf }
    }
    return [unit]
  }

  /// Applies the change as far as it fits, and returns whether it fits wholly.
  private func fits(_ state: StateBox, backwards isBackwards: Bool) -> Bool {
    if case .whole? = try? apply(to: state.address, lenient: true, backwards: isBackwards) { return true }
    return false
  }

  private func between(
    _ old: StateBox,
    _ new: StateBox,
    leavingOut leftOut: LeftOut?,
    _ rebasing: Rebasing
  ) -> [Unit] {
    let ends = (old: rebasing.rebased(old), new: rebasing.rebased(new))
    return withExtendedLifetime(ends) {
      MemoryChange(layout, old: ends.old.address, new: ends.new.address, leavingOut: leftOut).units
    }
  }
}
