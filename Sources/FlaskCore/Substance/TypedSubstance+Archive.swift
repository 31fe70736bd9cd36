@_spi(FlaskInternals) internal import FlaskArchive

extension TypedSubstance {
  /// Whether the state is archived. Off unless the substance was made with `archive: true`, or has called `archive()`.
  ///
  /// Set to true later, the state is saved from the next change on, and nothing is read. Set to false, what is unsaved
  /// stays so.
  public final var shouldArchive: Bool {
    get { archiving.withLock { $0.isWanted } }
    set {
      archiving.withLock { $0.isWanted = newValue }
      let isArchived = updateSavable() && archive() != nil
      participant.setNotice(Participant.Notice.archive, isArchived)
    }
  }

  /// Saves the state as it is now, and returns when it is durable. May be called anywhere, inside a handler too, but
  /// not from what encodes a state.
  ///
  /// - Returns: whether it is durable. If not, a fault says why; that archiving is off is one, too.
  @discardableResult
  public final func archiveNow(fileID: StaticString = #fileID, line: UInt = #line) -> Bool {
    archiveIfOn(at: SourceLocation(fileID, line))?.archiveNow() ?? false
  }

  /// Saves the state as it is now, and suspends until it is durable.
  ///
  /// - Returns: whether it is durable. If not, a fault says why; that archiving is off is one, too.
  @discardableResult
  public final func archiveNow(fileID: StaticString = #fileID, line: UInt = #line) async -> Bool {
    await archiveIfOn(at: SourceLocation(fileID, line))?.archiveNow() ?? false
  }

  /// Removes the archive, and returns when it is gone. The state stays as it is, and is saved again after its next
  /// change.
  ///
  /// - Returns: whether it is gone. If not, a fault says why.
  @discardableResult
  public final func purgeArchive() -> Bool { archive()?.purge() ?? false }

  private func archiveIfOn(at location: SourceLocation) -> (any SubstanceArchive)? {
    if updateSavable() { return archive() }
    report(
      .archiveOff,
      "\(name()) was to be archived now, but archiving is off; set `shouldArchive`, pass `archive: true`, or call "
        + "`archive()` in the initialiser of a store",
      at: location
    )
    return nil
  }

  // MARK: Reading and saving

  /// Takes the archived state over, if there is one. By the initialiser, before anybody else sees the substance.
  final func loadArchive() {
    guard updateSavable(), let archive = archive() else { return }
    participant.setNotice(Participant.Notice.archive, true)
    archive.load(into: self)
  }

  // MARK: Groups

  /// Moves the archive into a group, or out of one: `nil` is an archive of its own where the group is.
  ///
  /// - Returns: whether it could be moved.
  final func moveArchive(to group: ArchiveGroup?) -> Bool {
    archiving.withLock { $0.isWanted = true }
    guard updateSavable(), let present = archive() else { return false }
    guard present.group !== group, let from = group ?? present.group else { return true }
    let place: any ArchiveBackend = group ?? from.backend
    let new = present.remade(in: place, of: participant)
    // Out of a group it is durable by itself before the part is removed.
    if group == nil, !new.archiveNow() || !present.leave() { return false }
    archiving.withLock { archiving in
      archiving.archive = new
      archiving.backend = place
      archiving.generation += 1
    }
    participant.setNotice(Participant.Notice.archive, true)
    new.takeOver()
    // The old one is released with no lock held: it saves what is unsaved.
    withExtendedLifetime(present) {}
    return true
  }

  /// What saves the state, made if there is nothing yet; `nil` if the substance can't be archived. The user's methods
  /// are asked with no lock held.
  private func archive() -> (any SubstanceArchive)? {
    let (present, generation) = archiving.withLock { ($0.archive, $0.generation) }
    if let present { return present }
    guard let key = presentArchiveKey(), let new = makeArchive(key) else { return nil }
    return archiving.withLock { archiving in
      if archiving.generation == generation {
        archiving.archive = new
        archiving.generation += 1
      }
      return archiving.archive
    }
  }

  /// Called after each commit while the substance is archived.
  final func archiveDidFallBehind() {
    guard updateSavable() else { return }
    archive()?.stateChanged()
  }

  /// Asks whether the state may be saved; the answer counts for the saves until the next time.
  private func updateSavable() -> Bool {
    let isSavable = !isArchivingOff()
    participant.isSavable = isSavable
    return isSavable
  }

  /// Another archive, if the new name gives another key. The same one stays: it knows whether it may be written over.
  ///
  /// One thread at a time does it, since two archives of one key are a fault; whoever comes meanwhile has it look
  /// again.
  final func moveArchive() {
    guard archiving.withLock({ $0.beginMove() }) else { return }
    repeat {
      while !hasMovedArchive() {}
    } while !archiving.withLock({ $0.endMove() })
  }

  /// False if somebody else has made an archive meanwhile.
  private func hasMovedArchive() -> Bool {
    let (present, generation) = archiving.withLock { ($0.archive, $0.generation) }
    guard let present, let key = presentArchiveKey(), key != present.key, let new = makeArchive(key) else {
      return true
    }
    let isDone = archiving.withLock { archiving in
      guard archiving.generation == generation else { return false }
      archiving.archive = new
      archiving.generation += 1
      return true
    }
    // The old one is released with no lock held: it saves what is unsaved.
    withExtendedLifetime(present) {}
    return isDone
  }
}
