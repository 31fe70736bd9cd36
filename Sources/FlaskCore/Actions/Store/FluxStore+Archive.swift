@_spi(FlaskInternals) public import FlaskArchive

extension FluxStore where S: Codable {
  /// Takes over the archived state, if there is one, and saves the state from here on. To be called once, in the initialiser, right
  /// after `super.init`, before anybody else sees the store.
  ///
  /// ```swift
  /// init() {
  ///   super.init(initialState: Settings(), name: "settings")
  ///   archive()
  /// }
  /// ```
  /// The key is that of a substance of this name, `Fx.1.<name>`; so the store needs a name that is the same in each run.
  ///
  /// - Parameters:
  ///   - backend: where it is archived; `nil` for `Flask.defaultArchive`.
  ///   - delay: how many seconds after the last change the state is saved.
  ///   - scheduler: the clock and the timer; the system's unless given, as a test does.
  ///   - version: the version of the state's shape.
  ///   - migrate: makes of an archive of a version one of the next. See `Substance.migrateArchive(from:_:)`.
  public final func archive(
    in backend: (any ArchiveBackend)? = nil,
    delay: Double = 2,
    scheduler: (any ArchiveScheduler)? = nil,
    version: Int = 0,
    migrate: @escaping @Sendable (_ version: Int, _ archive: inout ArchiveValue) throws -> Void = { _, _ in }
  ) {
    let snapshot: @Sendable () -> S = { [core] in
      let box = core.pinCommitted()
      defer { box.unpin() }
      return box.address.assumingMemoryBound(to: S.self).pointee
    }
    let initial = snapshot()
    let archiver = StateArchiver(
      key: "Fx.1.\(name())",
      owner: name(),
      in: backend ?? Flask.defaultArchive,
      as: ArchiveShape<S>(version: version, initial: initial, migrate: migrate),
      delay: .archiveDelay(seconds: delay),
      scheduler: scheduler ?? DispatchArchiveScheduler(),
      onFault: { [core] fault in core.report(fault) },
      snapshot: snapshot
    )
    archiving.withLock { $0 = TypedStoreArchiving(archiver: archiver) }
    core.isArchived = true
    if case .state(let state) = archiver.load() { core.install(TypedStateBox { state }) }
  }

  /// Saves the state as it is now, and returns when it is durable. Without `archive()`, a fault.
  ///
  /// - Returns: whether it is durable. If not, a fault says why.
  @discardableResult
  public final func archiveNow(fileID: StaticString = #fileID, line: UInt = #line) -> Bool {
    if let archiving = archiving.withLock({ $0 }) { return archiving.archiveNow() }
    report(
      .archiveOff,
      "\(name()) was to be archived now, but archiving is off; call `archive()` in its initialiser",
      at: SourcePlace(fileID, line)
    )
    return false
  }
}
