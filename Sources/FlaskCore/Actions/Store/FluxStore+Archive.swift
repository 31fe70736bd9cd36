@_spi(FlaskInternals) public import FlaskArchive

extension FluxStore where S: Codable {
  /// Takes over the archived state, if there is one, and saves the state from here on. To be called once, in the
  /// initialiser, right after `super.init`, before anybody else sees the store.
  ///
  /// ```swift
  /// init() {
  ///   super.init(initialState: Settings(), name: "settings")
  ///   archive()
  /// }
  /// ```
  /// The key is that of a substance of this name, `Fx.1.<name>`; so the store needs a name that is the same in each
  /// run.
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
    // What the store was made with stands for the defaults that an older archive lacks.
    let initial = ArchivedState<S>(pinned: participant.pinCommitted())
    let maker = ArchiveMaker { key, store in
      TypedSubstanceArchive(
        ArchiveSettings(
          key: key,
          backend: backend ?? DefaultArchive.backend(of: store.flux),
          delay: delay,
          scheduler: scheduler ?? store.flux.defaultArchiveScheduler,
          version: version,
          initial: { initial },
          migrate: { _, version, archive in try migrate(version, &archive) }
        ),
        of: store.participant
      )
    }
    archiveMaker.withLock { $0 = maker }
    archiving.withLock { $0.isWanted = true }
    loadArchive()
  }
}
