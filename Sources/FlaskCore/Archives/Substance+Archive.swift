@_spi(FlaskInternals) internal import FlaskArchive

extension Substance {
  /// Whether the state is archived. Off unless the substance was made with `archive: true`. Set to true later, the state is saved from
  /// the next change on, and nothing is read.
  public final var shouldArchive: Bool {
    get { archiving.withLock { $0.isWanted } }
    set {
      archiving.withLock { $0.isWanted = newValue }
      core.isArchived = !archiveDisabled()
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
    if !archiveDisabled() { return true }
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
    if archiveDisabled() { return }
    core.isArchived = true
    if case .state(let state) = archiver.load() { core.install(TypedStateBox { state }) }
  }

  /// The archiver, made if there is none. The user's methods are asked with no lock held.
  private var archiver: StateArchiver<S> {
    if let archiver = archiving.withLock({ $0.archiver }) { return archiver }
    let new = makeArchiver()
    return archiving.withLock { archiving in
      if let other = archiving.archiver { return other }
      archiving.archiver = new
      return new
    }
  }

  private func makeArchiver() -> StateArchiver<S> {
    let shape = ArchiveShape<S>(version: archiveVersion(), initial: S()) { [weak self] version, archive in
      try self?.migrateArchive(from: version, &archive)
    }
    let backend = archiving.withLock { $0.backend } ?? Flask.defaultArchive
    // The core, not the substance: what changed last is saved after the substance has gone, too.
    return StateArchiver(
      key: archiveKey(),
      owner: name(),
      in: backend,
      as: shape,
      delay: .archiveDelay(seconds: archiveDelay()),
      scheduler: archiveScheduler(),
      onFault: { [core] fault in core.report(fault) },
      snapshot: { [weak self, core] in
        if let self, self.archiveDisabled() { return nil }
        let box = core.pinCommitted()
        defer { box.unpin() }
        return box.address.assumingMemoryBound(to: S.self).pointee
      }
    )
  }

  final func noteChange() {
    if !archiveDisabled() { archiver.stateChanged() }
  }
}
