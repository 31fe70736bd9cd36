internal import FlaskDiff
internal import FlaskEntities
internal import FlaskPrimitives

extension GroupSession {
  /// The fluxes in which something that was read has to be installed, each once.
  var fluxesToInstall: [Flux] {
    shared.withLock { shared in
      var fluxes: [Flux] = []
      for (key, versions) in shared.parts where !versions.isHandedOver {
        guard let flux = shared.members[key]?.cell.flux, !fluxes.contains(where: { $0 === flux }) else {
          continue
        }
        fluxes.append(flux)
      }
      return fluxes
    }
  }

  /// Whether memory has all that was read.
  var isHandedOver: Bool { shared.withLock { $0.parts.values.allSatisfy { $0.isHandedOver } } }

  /// The body of an operation of a flux: all that was read becomes memory, with what is pending on it.
  ///
  /// - Returns: `.commit` if a state changes. Nothing is done while a save is in progress: then the worker asks again.
  func install(in transaction: FluxTransaction, of flux: Flux) -> FluxOperation.Ending {
    guard case .idle = shared.withLock({ $0.phase }) else { return .abort }
    var isChanged = false
    var arriving: [(SharedPart, PinnedState, StateOutline)] = []
    for part in shared.withLock({ Array($0.members.values) }) where part.cell.flux === flux {
      // Retained until the operation has ended.
      guard let substance = part.substance() else { continue }
      let before = PinnedState(part.cell.pinSaved())
      // The shadow is that of the present state, with an earlier arrival.
      let versions = shared.withLock { shared -> PartVersions? in
        guard shared.parts[part.key]?.shadow(of: before) != nil, let versions = shared.parts[part.key] else {
          return nil
        }
        return versions.isHandedOver ? nil : versions
      }
      guard let versions else { continue }
      do throws(ArchiveError) {
        if try write(part, versions, transaction) {
          isChanged = true
          arriving.append((part, before, versions.truth))
        } else {
          hand(part.key, versions.truth)
        }
      } catch {
        report(
          .archiveUnreadable,
          "what others have written to \(part.key) of the shared group \(name) can't be used here: \(error)"
        )
        hand(part.key, versions.truth)
      }
      withExtendedLifetime(substance) {}
    }
    let isIdle = shared.withLock { shared in
      // A save that has begun meanwhile has pinned the states before.
      guard case .idle = shared.phase else { return false }
      for (part, before, shadow) in arriving {
        shared.parts[part.key]?.expect(PartVersions.Arrival(before: before, shadow: shadow))
      }
      return true
    }
    guard isChanged, isIdle else { return .abort }
    transaction.mark = OutsideMark()
    return .commit
  }

  /// Writes what arrives into the draft of a substance.
  ///
  /// - Returns: whether the draft differs from the state.
  private func write(_ part: SharedPart, _ versions: PartVersions, _ transaction: FluxTransaction)
    throws(ArchiveError) -> Bool
  {
    let cell = part.cell
    let present = PinnedState(cell.pinCommitted())
    let mine = try outline(of: present, part)
    let merged = try part.merged(base: versions.shadow, mine: mine, theirs: versions.truth, coding)
    // Properties that are not shared are in neither, so that the draft keeps them.
    let before = try part.state(of: mine)
    let after = try part.state(of: merged)
    apply(before, after, to: cell, cell.draft)
    cell.rebaseRestorePoint { box in
      box.pin()
      return (try? self.rebased(PinnedState(box), part, versions)) ?? box
    }
    if !cell.isDraftChanged { return false }
    transaction.append(cell)
    return true
  }

  private func apply(
    _ before: PinnedState,
    _ after: PinnedState,
    to cell: Cell,
    _ target: UnsafeMutableRawPointer
  ) {
    var changes = ChangeSet()
    cell.layout.compare(old: before.box.address, new: after.box.address, into: &changes)
    if !changes.hasDirty { return }
    StateDelta(layout: cell.layout, changes: &changes, new: after.box.address).apply(to: target)
  }

  /// A kept state, with what arrives.
  private func rebased(_ state: PinnedState, _ part: SharedPart, _ versions: PartVersions)
    throws(ArchiveError)
    -> StateBox
  {
    let mine = try part.outline(of: state)
    let merged = try part.merged(base: versions.shadow, mine: mine, theirs: versions.truth, coding)
    let box = state.box.copy()
    apply(try part.state(of: mine), try part.state(of: merged), to: part.cell, box.address)
    return box
  }

  /// The state to install in a substance that nothing has used yet; `nil` if the database has nothing of the part.
  func opened(_ part: SharedPart) throws(ArchiveError) -> PinnedState? {
    guard let versions = shared.withLock({ $0.parts[part.key] }), case .present = versions.presence else {
      return nil
    }
    return try part.state(of: versions.truth)
  }

  /// The substance has the state that was read, before anything could use it.
  func didOpen(_ part: SharedPart) {
    guard let truth = shared.withLock({ $0.parts[part.key]?.truth }) else { return }
    hand(part.key, truth)
  }
}
