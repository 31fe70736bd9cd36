internal import FlaskDiff
internal import FlaskEntities
internal import FlaskPrimitives

extension GroupSession {
  /// The fluxes of the substances in which changes of other processes have yet to be installed, each once.
  var fluxesToInstall: [Flux] {
    let (members, parts) = shared.withLock { ($0.members, $0.parts) }
    var fluxes: [Flux] = []
    for (key, versions) in parts where versions.isInstallable {
      guard let flux = members[key]?.cell.flux, !fluxes.contains(where: { $0 === flux }) else { continue }
      fluxes.append(flux)
    }
    return fluxes
  }

  /// The last commit whose changes all states contain, together with those of earlier commits; `nil` before the first
  /// reading.
  var reached: SharedPlace? {
    let (parts, position) = shared.withLock { ($0.parts, $0.position) }
    return position.map { position in
      let number = parts.values.map { $0.reached(position.number) }.min() ?? position.number
      return SharedPlace(incarnation: position.incarnation, number: number)
    }
  }

  /// One part during an operation that installs.
  private struct Installing {
    let part: SharedPart
    let versions: PartVersions
    let before: PinnedState
    var isChanged = false
    var unusable: ArchiveError?
    /// The edits of rows that others have removed.
    var dropped: [RecordKey] = []
  }

  /// Installs the changes of other processes, merged with the pending changes, in the substances of a flux. This is the
  /// body of an operation.
  ///
  /// - Returns: `.commit` if a state changes. If a save is in progress, or begins meanwhile, nothing is installed, and
  ///   the worker submits the operation again later.
  func install(in operation: OperationDrafts, of flux: Flux) -> FluxOperation.Ending {
    let present = members.values.filter { $0.cell.flux === flux }.map {
      ($0, PinnedState($0.cell.pinPresent()))
    }
    let (begun, number, versions) = change { shared -> (Int?, Int, [PartVersions?]) in
      let versions = present.map { part, state -> PartVersions? in
        guard shared.members[part.key] === part else { return nil }
        // The shadow is that of the present state, with an earlier arrival.
        shared.parts[part.key]?.resolve(at: state)
        return shared.parts[part.key]
      }
      guard case .idle = shared.phase else { return (nil, 0, []) }
      return (shared.saves, shared.position?.number ?? 0, versions)
    }
    guard let begun else { return .abort }
    var all: [Installing] = []
    // Retained until the operation has ended.
    var substances: [AnySubstance] = []
    for ((part, state), versions) in zip(present, versions) {
      guard let versions, versions.isInstallable, let substance = part.substance() else { continue }
      substances.append(substance)
      var one = Installing(part: part, versions: versions, before: state)
      do throws(ArchiveError) {
        one.isChanged = try write(part, versions, state) { one.dropped.append($0) }
      } catch {
        one.unusable = error
        report(
          .archiveUnreadable,
          "what others have written to \(part.key) of the shared group \(name) can't be used here: \(error)"
        )
      }
      if one.isChanged { operation.append(part.cell) }
      all.append(one)
    }
    let isCurrent = change { shared in
      guard case .idle = shared.phase, shared.saves == begun else { return false }
      for one in all {
        if let error = one.unusable {
          shared.parts[one.part.key]?.unusable = error
        } else if one.isChanged {
          shared.parts[one.part.key]?.expect(
            PartVersions.Arrival(before: one.before, shadow: one.versions.truth, number: number)
          )
        } else {
          shared.parts[one.part.key]?.handOver(one.versions.truth, at: number)
        }
      }
      return true
    }
    defer { withExtendedLifetime(substances) {} }
    if !isCurrent { return .abort }
    report(dropped: all.flatMap(\.dropped))
    for one in all where one.unusable == nil { rebaseRestorePoint(one.part, one.versions) }
    guard all.contains(where: \.isChanged) else { return .abort }
    operation.mark = OutsideMark()
    return .commit
  }

  /// An operation that installs has ended.
  func didInstall(in flux: Flux) {
    change { shared in
      for (key, part) in shared.members where part.cell.flux === flux { shared.parts[key]?.didPublish() }
    }
  }

  /// Writes what arrives into the draft of a substance.
  ///
  /// - Returns: whether the draft differs from the state.
  private func write(
    _ part: SharedPart,
    _ versions: PartVersions,
    _ present: PinnedState,
    dropped: (RecordKey) -> Void
  )
    throws(ArchiveError)
    -> Bool
  {
    let cell = part.cell
    let mine = try outline(of: present, part)
    let merged = try part.merged(
      base: versions.shadow,
      mine: mine,
      theirs: versions.truth,
      coding,
      dropped: dropped
    )
    // Properties that are not shared are in neither, so that the draft keeps them.
    let before = try part.state(of: mine)
    let after = try part.state(of: merged)
    apply(before, after, to: cell, cell.draft)
    return cell.isDraftChanged
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

  /// Merges the changes of other processes into the restore point. So a rollback reverts changes of this process only.
  private func rebaseRestorePoint(_ part: SharedPart, _ versions: PartVersions) {
    part.cell.rebaseRestorePoint { box in
      box.pin()
      return (try? self.rebased(PinnedState(box), part, versions)) ?? box
    }
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
}
