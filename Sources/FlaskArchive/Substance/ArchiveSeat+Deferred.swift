internal import Dispatch
internal import FlaskDiff
internal import FlaskPrimitives

// An archive that is read after its substance has been made: see `DeferredArchive`. Until what was read has come in,
// the substance has no notice for archiving, and is not savable.
extension ArchiveSeat {
  /// All that are being read. A normal end of the process waits for them: what was mixed meanwhile is saved after that.
  private static let readings: DispatchGroup = {
    let readings = DispatchGroup()
    ProcessExit.prepare { _ = readings.wait(timeout: .now() + .seconds(5)) }
    return readings
  }()

  /// Reads the archive on a thread of its own, and has what was read come in.
  func loadLater(from archive: any SubstanceArchive, into substance: AnySubstance) {
    let base = PinnedState(substance.cell.pinCommitted())
    let groups = [DispatchGroup(), Self.readings] + (archive.group.map { [$0.readings] } ?? [])
    for group in groups { group.enter() }
    reading = groups[0]
    _ = updateSavable(substance)
    DispatchQueue.global(qos: .userInitiated).async {
      var read = base
      Flux.$current.withValue(substance.flux) {
        archive.load { state in
          read = state ?? base
          return read
        }
      }
      self.receive(read, since: base, in: substance, groups)
    }
  }

  /// Makes a state that was read that of the substance, but for what has been mixed since `base`.
  private func receive(
    _ read: PinnedState,
    since base: PinnedState,
    in substance: AnySubstance,
    _ groups: [DispatchGroup]
  ) {
    let cell = substance.cell
    let operation = FluxOperation(
      OperationIdentity(.arrival),
      isPurged: false,
      in: cell.flux,
      completion: { _ in self.endReading(groups[0], of: read, into: substance) }
    ) { transaction in
      if read === base || self.reading !== groups[0] { return .abort }
      transaction.mark = OutsideMark()
      let (layout, present) = (cell.layout, PinnedState(cell.pinCommitted()))
      var mixed = ChangeSet()
      layout.compare(old: base.box.address, new: present.box.address, into: &mixed)
      _ = layout.copyDifferences(from: read.box.address, to: cell.draft)
      StateDelta(layout: layout, changes: &mixed, new: present.box.address).apply(to: cell.draft)
      transaction.append(cell)
      return .commit
    }
    let receipt = cell.flux.submit(operation, isolation: .none)
    // Later than the completion: whoever mixes then need not wait for this operation.
    Task {
      _ = await receipt.outcome
      for group in groups { group.leave() }
    }
  }

  /// What was read has come in: it is archived from here on, and saved if it has been mixed meanwhile.
  private func endReading(_ reading: DispatchGroup, of read: PinnedState, into substance: AnySubstance) {
    guard self.reading === reading else { return }
    self.reading = nil
    guard updateSavable(substance), let archive = archive(of: substance) else { return }
    let cell = substance.cell
    cell.setNotice(Cell.Notice.archive, true)
    let present = PinnedState(cell.pinCommitted())
    var mixed = ChangeSet()
    cell.layout.compare(old: read.box.address, new: present.box.address, into: &mixed)
    // Others may have written meanwhile what could not come in.
    if mixed.hasDirty || archive.group?.archiver.sharing != nil { archive.stateChanged() }
  }

  /// Whether what is archived is there. Reported, if it is still being read.
  func hasRead(_ substance: AnySubstance, at location: SourcePlace? = nil) -> Bool {
    if reading == nil { return true }
    substance.report(
      .archiveNotSaved,
      "the archive of \(substance.name()) was to be saved, moved or removed while it is being read; "
        + "await `opened()` before",
      at: location
    )
    return false
  }

  /// Suspends until it is read.
  func opened() async { await reading?.ended() }
}

extension DispatchGroup {
  /// Suspends until all have left.
  func ended() async { await handedOver { deliver in notify(queue: .global()) { deliver(()) } } }
}
