@_spi(FlaskInternals) internal import FlaskArchive

extension Substance {
  /// Whether the state is archived. Off unless the substance was made with `archive: true`.
  ///
  /// Set to true later, the state is saved from the next change on, and nothing is read. Set to false, what is unsaved stays so.
  public final var shouldArchive: Bool {
    get { archiving.withLock { $0.isWanted } }
    set {
      archiving.withLock { $0.isWanted = newValue }
      let isArchived = updateSavable()
      // Made here, by whoever sets it, and not by the first of several threads that mix.
      if isArchived { _ = archiver }
      core.isArchived = isArchived
    }
  }

  /// Saves the state as it is now, and returns when it is durable. May be called anywhere, inside a handler too, but not
  /// from what encodes a state.
  ///
  /// - Returns: whether it is durable. If not, a fault says why; that archiving is off is one, too.
  @discardableResult
  public final func archiveNow(fileID: StaticString = #fileID, line: UInt = #line) -> Bool {
    guard isArchivable(at: SourcePlace(fileID, line)) else { return false }
    do throws(ArchiveError) {
      try archiver.archiveNow()
      return true
    } catch {
      return false
    }
  }

  /// Saves the state as it is now, and suspends until it is durable.
  ///
  /// - Returns: whether it is durable. If not, a fault says why; that archiving is off is one, too.
  @discardableResult
  public final func archiveNow(fileID: StaticString = #fileID, line: UInt = #line) async -> Bool {
    guard isArchivable(at: SourcePlace(fileID, line)) else { return false }
    do throws(ArchiveError) {
      try await archiver.archiveNow()
      return true
    } catch {
      return false
    }
  }

  /// Removes the archive, and returns when it is gone. The state stays as it is, and is saved again after its next change.
  ///
  /// - Returns: whether it is gone. If not, a fault says why.
  @discardableResult
  public final func purgeArchive() -> Bool {
    do throws(ArchiveError) {
      try archiver.purge()
      return true
    } catch {
      return false
    }
  }

  private func isArchivable(at place: SourcePlace) -> Bool {
    if updateSavable() { return true }
    report(
      .archiveOff,
      "\(name()) was to be archived now, but archiving is off; set `shouldArchive` or pass `archive: true`",
      at: place
    )
    return false
  }

  // MARK: Reading and saving

  /// Takes the archived state over, if there is one. By the initialiser, before anybody else sees the substance.
  final func loadArchive() {
    guard updateSavable() else { return }
    core.isArchived = true
    if case .state(let state) = archiver.load() { core.install(state.box) }
  }

  /// The archiver, made if there is none. The user's methods are asked with no lock held.
  private var archiver: StateArchiver<ArchivedState<S>> {
    if let archiver = archiving.withLock({ $0.archiver }) { return archiver }
    let key = archiveKey()
    let new = makeArchiver(of: key)
    return archiving.withLock { archiving in
      if let other = archiving.archiver { return other }
      (archiving.archiver, archiving.key) = (new, key)
      noteToArchiver.withLock { $0.body = { new.stateChanged() } }
      return new
    }
  }

  private func makeArchiver(of key: String) -> StateArchiver<ArchivedState<S>> {
    let shape = ArchiveShape(version: archiveVersion(), initial: ArchivedState<S>()) {
      [weak self] version, archive in
      try self?.migrateArchive(from: version, &archive)
    }
    let backend = archiving.withLock { $0.backend } ?? Flask.defaultArchive
    // The core, not the substance: what changed last is saved after the substance has gone, too; and a save that held the
    // substance would keep it, and its key, for longer than its owner does.
    return StateArchiver(
      key: key,
      owner: name(),
      in: backend,
      as: shape,
      delay: .archiveDelay(seconds: archiveDelay()),
      scheduler: archiveScheduler(),
      onFault: { [core] fault in core.report(fault) },
      snapshot: { [core] in core.isSavable ? ArchivedState(pinned: core.pinCommitted()) : nil }
    )
  }

  final func noteChange() {
    guard updateSavable() else { return }
    // Through a type that has no parameters: looking up the archiver's at run time costs a thousand instructions.
    if let note = noteToArchiver.withLock({ $0.body }) { note() } else { archiver.stateChanged() }
  }

  /// Asks whether the state may be saved; the answer counts for the saves until the next time.
  private func updateSavable() -> Bool {
    let isSavable = !archiveDisabled()
    core.isSavable = isSavable
    return isSavable
  }

  /// Another archive, if the new name gives another key. The same one stays: it knows whether it may be written over.
  final func moveArchive() {
    guard let oldKey = archiving.withLock({ $0.key }) else { return }
    let key = archiveKey()
    if key == oldKey { return }
    let new = makeArchiver(of: key)
    let old = archiving.withLock { archiving in
      defer { (archiving.archiver, archiving.key) = (new, key) }
      noteToArchiver.withLock { $0.body = { new.stateChanged() } }
      return archiving.archiver
    }
    // Released with no lock held: it saves what is unsaved.
    withExtendedLifetime(old) {}
  }
}
