/// An initial state that was a placeholder for one that was read later, and what later states have become since.
struct Rebasing {
  let placeholder: StateBox
  /// Returns what a state since then would be if the substance had been made with the state that was read.
  let rebased: (StateBox) -> StateBox
}

extension MemoryChange {
  /// The change that this change becomes.
  ///
  /// - Parameters:
  ///   - last: the state from which the change leads away, or led once. If it is undone, it leads to this state.
  ///   - state: a copy of `last`. It becomes the state to which the change leads; units that do not fit are skipped.
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

  /// A unit that does not fit the present state, since others have changed the value. It may still lead from the
  /// placeholder, or to it.
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
