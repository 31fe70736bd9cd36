internal import Dispatch
internal import FlaskDiff
internal import FlaskPrimitives

// An archive that is read after its substance was made: see `DeferredArchive`. Until the state that was read has been
// installed, the substance cannot be saved, and its notice records the keys that are mixed in the meantime.
extension ArchiveSeat {
  /// Reads the archive on a thread of its own, and installs the state that was read.
  func loadLater(from archive: any SubstanceArchive, into substance: AnySubstance) {
    let opening = ArchiveOpening(of: substance, from: archive)
    let others = opening.begin()
    self.opening = opening
    _ = updateSavable(substance)
    substance.cell.setNotice(Cell.Notice.unread, true)
    DispatchQueue.global(qos: .userInitiated).async {
      // An earlier substance of this key, released by now, is saved first.
      for other in others {
        other.opening.groups[0].wait()
        if other.opening.mixed.hasDirty { _ = other.archive.archiveNow() }
      }
      var read = opening.base
      Flux.$current.withValue(opening.cell.flux) {
        opening.archive?.load { state in
          read = state ?? opening.base
          return read
        }
      }
      self.receive(read, by: opening)
    }
  }

  /// Commits a state that was read, except for the memory that has been mixed. Keys that both have changed are merged
  /// before, since that takes long; by the performer, if there has been another mix since.
  private func receive(_ read: PinnedState, by opening: ArchiveOpening) {
    let cell = opening.cell
    let seen = PinnedState(cell.pinCommitted())
    let merged = opening.merged(read, seen)
    let operation = FluxOperation(
      OperationIdentity(.arrival),
      isPurged: false,
      in: cell.flux,
      completion: { _ in self.end(opening) }
    ) { transaction in
      if read === opening.base || self.opening !== opening { return .abort }
      let present = PinnedState(cell.pinCommitted())
      transaction.mark = OutsideMark()
      opening.isArriving = true
      opening.write(read, present, present.box === seen.box ? merged : opening.merged(read, present))
      transaction.append(cell)
      return .commit
    }
    let receipt = cell.flux.submit(operation, isolation: .none)
    // After the completion, so that a mix after `opened()` need not wait for this operation.
    Task {
      _ = await receipt.outcome
      opening.end()
    }
  }

  /// Records a commit while the archive is being read, or records that this commit is the arrival of the archived
  /// state. By the performer.
  ///
  /// - Returns: false if it is not being read.
  func note(_ substance: AnySubstance) -> Bool {
    guard let opening else { return false }
    if opening.isArriving {
      end(opening)
    } else {
      opening.mixed.insertDirty(of: substance.cell.changes.pointee)
      substance.cell.setNotice(Cell.Notice.mixedUnread, true)
    }
    return true
  }

  /// Starts to archive the substance, once the arrival has been published or there is none; saves it if it has been
  /// mixed in the meantime. By the performer.
  private func end(_ opening: ArchiveOpening) {
    // Unless another opening is reading it once more.
    let isLast = self.opening == nil || self.opening === opening
    if isLast { opening.cell.setNotice(Cell.Notice.unread | Cell.Notice.mixedUnread, false) }
    guard self.opening === opening else { return }
    self.opening = nil
    guard let substance = opening.substance, updateSavable(substance), let archive = archive(of: substance)
    else { return }
    opening.cell.setNotice(Cell.Notice.archive, true)
    // In the meantime other processes may have written changes that could not be installed. An archive that was taken
    // over is not yet in a group.
    let isGrouped = archive.group.map {
      $0.archiver.sharing != nil || $0.archiver.contents.content(of: archive.key) == nil
    }
    if opening.mixed.hasDirty || isGrouped == true { archive.stateChanged() }
  }

  /// Whether the archived state is installed. A fault is reported if it is still being read.
  func hasRead(_ substance: AnySubstance, at location: SourcePlace? = nil) -> Bool {
    if opening == nil { return true }
    let problem =
      "the archive of \(substance.name()) is being read; await `opened()` before it is saved or moved"
    substance.report(.archiveNotSaved, problem, at: location)
    return false
  }
}

extension DispatchGroup {
  /// Suspends until all have left.
  func ended() async { await handedOver { deliver in notify(queue: .global()) { deliver(()) } } }
}
