internal import Dispatch
internal import FlaskDiff
internal import FlaskPrimitives

// The reading of an archive after its substance was made: see `DeferredArchive`. Until the state that was read is
// installed, the substance cannot be saved.
extension ArchiveSeat {
  /// Reads the archive on another thread, and installs the state that was read.
  func loadLater(from archive: any SubstanceArchive, into substance: AnySubstance) {
    let opening = ArchiveOpening(of: substance, from: archive)
    let others = opening.begin()
    self.opening = opening
    archive.member.beginOpening()
    _ = updateSavable(substance)
    substance.cell.setNotice(Cell.Notice.unread, true)
    DispatchQueue.global(qos: .userInitiated).async {
      // Changes of an earlier substance with this key are saved first, since that substance may have been released in
      // the meantime.
      for other in others {
        other.opening.groups[0].wait()
        if other.opening.isMixed { _ = other.archive.archiveNow() }
      }
      var read = opening.base
      Flux.$current.withValue(opening.cell.flux) {
        opening.archive?.load { state in
          read = state
          return state
        }
      }
      self.receive(read, by: opening)
    }
  }

  /// Commits a state that was read, except in the keys that mixes have changed. Keys changed in both states are
  /// merged before the operation, since merging takes long. If another mix comes in between, they are merged again
  /// within the operation.
  private func receive(_ read: PinnedState, by opening: ArchiveOpening) {
    let cell = opening.cell
    let seen = PinnedState(cell.pinCommitted())
    let merged = opening.merged(read, seen)
    let operation = FluxOperation(
      OperationIdentity(.arrival, by: .flask),
      in: cell.flux,
      completion: { _ in self.end(opening) }
    ) { drafts in
      let present = PinnedState(cell.pinCommitted())
      // A mix may have been committed after the initial state was pinned, but before the notice `unread` was set. Then
      // `recordUnread(_:)` was not called. The committed state shows such a mix: it is not the initial one.
      if present.box !== opening.base.box { opening.isMixed = true }
      if read === opening.base || self.opening !== opening { return .abort }
      drafts.mark = OutsideMark(began: opening.begun)
      opening.isArriving = true
      opening.write(read, present, present.box === seen.box ? merged : opening.merged(read, present))
      drafts.append(cell)
      return .commit
    }
    let receipt = cell.flux.submit(operation, isolation: .none)
    // `opening.end()` leaves the groups, which resumes `opened()`. It is called only when the arrival has ended. If the
    // arrival itself left the groups, a mix right after `opened()` could find the flux busy.
    Task {
      _ = await receipt.outcome(isCancellable: false)
      // The completion of an operation that was performed has ended the reading. This operation was refused, since the
      // process ends, and archives are being saved.
      if self.opening === opening { opening.reportLoss("its archive is opened") }
      opening.end()
    }
  }

  /// Handles a commit while the archive is being read. Records the mixed keys, or ends the reading if this commit
  /// installs the archived state. Called by the performer of the flux.
  ///
  /// - Returns: false if the archive is not being read.
  func recordUnread(_ substance: AnySubstance) -> Bool {
    guard let opening else { return false }
    if opening.isArriving {
      end(opening)
    } else {
      opening.isMixed = true
      substance.cell.setNotice(Cell.Notice.mixedUnread, true)
      opening.archive?.member.mixedWhileOpening()
    }
    return true
  }

  /// Starts to archive the substance after the archived state has been published, or after none was found. The state is
  /// saved if it was mixed in the meantime. Called by the performer of the flux.
  private func end(_ opening: ArchiveOpening) {
    // If another deferred reading of this archive has begun, the notices of the cell stay set for it.
    let isLast = self.opening == nil || self.opening === opening
    if isLast { opening.cell.setNotice(Cell.Notice.unread | Cell.Notice.mixedUnread, false) }
    guard self.opening === opening else { return }
    self.opening = nil
    guard let substance = opening.substance, updateSavable(substance), let archive = archive(of: substance)
    else { return }
    opening.cell.setNotice(Cell.Notice.archive, true)
    archive.member.endOpening()
    // An archive that was taken over is not yet in its group, so it is saved even without a mix.
    let isTakenOver = archive.group.map { $0.archiver.contents.content(of: archive.key) == nil } ?? false
    if opening.isMixed || isTakenOver { archive.stateChanged() }
  }

  /// Returns true if the archived state is installed. If it is still being read, a fault is reported.
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

  /// Suspends until all have left, or until the task is cancelled.
  func endedOrCancelled() async {
    let state = Lock((waiting: WaitingTasks(), isOver: false))
    notify(queue: .global()) {
      let waiting = state.withLock { state in
        state.isOver = true
        return state.waiting.takeAll()
      }
      for continuation in waiting { continuation.resume() }
    }
    await WaitingTasks.wait(isCancellable: true) { body in
      state.withLock { if !$0.isOver { body(&$0.waiting) } }
    }
  }
}
