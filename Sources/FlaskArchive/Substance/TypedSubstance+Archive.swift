extension TypedSubstance {
  /// True if the state is archived. It is false by default, except after `archive: true` or a call of `archive()`.
  ///
  /// After it is set to true, the state is saved from the next change on, and nothing is read. After it is set to
  /// false, unsaved changes stay unsaved, and the key is free for another owner. It stays as it is, which is a fault,
  /// if the state can't be archived, or is that of a `SharedGroup`.
  public final var shouldArchive: Bool {
    get { isArchiveWanted }
    set {
      guard case .here = archiving(makingSeat: newValue) else {
        if newValue != isArchiveWanted { _ = seatOrFault() }
        return
      }
      isArchiveWanted = newValue
      // If two threads set it at the same time, the thread that finishes last applies the final value.
      var isWanted: Bool
      repeat {
        isWanted = isArchiveWanted
        updateArchiving()
      } while isWanted != isArchiveWanted
    }
  }

  private func updateArchiving() {
    guard case .here(let seat) = archiving(makingSeat: isArchiveWanted) else { return }
    if isArchiveWanted && seat.opening != nil { return }
    let isSavable = seat.updateSavable(self)
    if !isSavable { seat.giveUp() }
    let isArchived = isSavable && seat.archive(of: self) != nil
    cell.setNotice(Cell.Notice.archive, isArchived)
  }

  /// Suspends until the archived state is installed and the handlers of this operation have been called. Returns at
  /// once if the substance was not made in a `DeferredArchive`, and when the task is cancelled. A handler may start a
  /// task that awaits `opened()`, but must not wait for that task.
  public final func opened() async {
    if FluxOperation.isAwaitedUnderLock("an archive", in: flux) { return }
    await ArchiveOpening.of(cell)?.groups[0].endedOrCancelled()
  }

  /// Suspends until the archived state is installed, as `opened()` does, also if the task is cancelled.
  private func arrived() async {
    if FluxOperation.isAwaitedUnderLock("an archive", in: flux) { return }
    await ArchiveOpening.of(cell)?.groups[0].ended()
  }

  /// Suspends until the archived state is installed, as `opened()` does, and throws if there is an archive that this
  /// version of the program cannot use: for a server that must not begin with an initial state. A fault has reported
  /// it, too, when the archive was read.
  ///
  /// - Throws: the reason why the archive could not be used when it was read. As long as there is nothing but its
  ///   quarantined copy, since nothing was saved, later starts get an error, too. Also the reason why the state can't
  ///   be archived.
  public final func requireOpened() async throws(ArchiveError) {
    await arrived()
    if case .shared = archiving(makingSeat: false) { return }
    let seat = try seatOrError()
    if seat.opening != nil { throw .refused(reason: "the archive of \(name()) is being read") }
    if let error = seat.present?.readingError { throw error }
  }

  /// Saves the state, and returns when it is durable. Mixes submitted before are included, even if another thread has
  /// yet to perform them, unless they wait for a lock. A state whose archive is being read is saved after that. A
  /// history's optimistic change that is pending is not included.
  ///
  /// Several calls at the same time share one save.
  ///
  /// - Throws: the reason why the state is not known to be durable. It is not reported as a fault. The save is tried
  ///   again later.
  public final func save() async throws(ArchiveError) {
    let seat = try seatOrError()
    if let group = seat.present?.group { await group.opened() } else { await arrived() }
    await flux.passed()
    if seat.opening != nil { throw .refused(reason: "the archive of \(name()) is being read") }
    guard seat.updateSavable(self), let archive = seat.archive(of: self) else {
      throw .notArchived(name: name())
    }
    try await archive.member.save()
  }

  /// Saves the current state, and returns when it is durable. It may be called anywhere, also inside a handler, but not
  /// inside of a state's `encode(to:)`. The call waits for no operation: an operation that another thread has yet to
  /// perform is not included.
  ///
  /// - Returns: whether it is durable. If not, a fault gives the reason. Archiving that is off is reported as a fault
  ///   too.
  @discardableResult
  public final func archiveNow(fileID: StaticString = #fileID, line: UInt = #line) -> Bool {
    archiveIfOn(at: SourcePlace(fileID, line))?.archiveNow() ?? false
  }

  /// Saves the state, and suspends until it is durable. Mixes submitted before are included, even if another thread has
  /// yet to perform them, unless they wait for a lock.
  ///
  /// - Returns: whether it is durable. If not, a fault gives the reason. It is also a fault that archiving is off.
  @discardableResult
  public final func archiveNow(fileID: StaticString = #fileID, line: UInt = #line) async -> Bool {
    if case .here(let seat) = archiving(makingSeat: false), let group = seat.present?.group {
      await group.opened()
    } else {
      await arrived()
    }
    await flux.passed()
    return await archiveIfOn(at: SourcePlace(fileID, line))?.archiveNow() ?? false
  }

  /// Removes the archive and its quarantined copies, and returns when that is done. The state stays as it is, and is
  /// saved again after its next change.
  ///
  /// - Returns: whether it was removed. If not, a fault has the reason.
  @discardableResult
  public final func purgeArchive() -> Bool {
    guard let seat = seatOrFault(), seat.hasRead(self) else { return false }
    return seat.archive(of: self)?.purge() ?? false
  }

  private func archiveIfOn(at location: SourcePlace) -> (any SubstanceArchive)? {
    guard let seat = seatOrFault(makingSeat: false, at: location), seat.hasRead(self, at: location) else {
      return nil
    }
    if seat.updateSavable(self) { return seat.archive(of: self) }
    report(
      .archiveOff,
      "\(name()) was to be archived now, but archiving is off; set `shouldArchive`, pass `archive: true`, or call "
        + "`archive()` in the initialiser of a store",
      at: location
    )
    return nil
  }

  /// Who archives the substance.
  ///
  /// - Parameter isMade: whether the substance keeps the seat that is made if there is none. With a seat it can't be
  ///   shared any more, so a mere question makes none.
  private func archiving(makingSeat isMade: Bool) -> Archiving {
    func seat() -> Held<any SubstanceArchiver> {
      Held(ArchiveSeat((self as? Substance<S>).map(ArchiveMaker.overridable) ?? .withoutSettings, in: nil))
    }
    let held = isMade ? archiver.object(or: seat) : archiver.present?.object ?? seat()
    if let refusal = held.value.refusal { return .refused("\(name()) is not archived: \(refusal)") }
    if let seat = held.value as? ArchiveSeat { return .here(seat) }
    return .shared("\(name()) is shared: save its group, by `save()` of the `SharedGroup`")
  }

  /// The object that archives the substance, or would.
  private func seatOrError() throws(ArchiveError) -> ArchiveSeat {
    switch archiving(makingSeat: false) {
    case .here(let seat): return seat
    case .shared(let reason), .refused(let reason): throw .refused(reason: reason)
    }
  }

  /// The object that archives the substance. The result is `nil` if there is none, which is a fault.
  final func seatOrFault(makingSeat isMade: Bool = true, at location: SourcePlace? = nil) -> ArchiveSeat? {
    switch archiving(makingSeat: isMade) {
    case .here(let seat): return seat
    case .shared(let reason), .refused(let reason):
      report(.archiveOff, reason, at: location)
      return nil
    }
  }
}

/// Who archives a substance.
private enum Archiving {
  /// This module does.
  case here(ArchiveSeat)
  /// A shared group does. The text says so, for an error or a fault.
  case shared(String)
  /// Neither of them can. The text has the reason, for an error or a fault.
  case refused(String)
}

extension TypedSubstance where S: Codable {
  /// Installs the archived state, if the archive has one, and saves the state from now on. To be called once, in the
  /// initialiser, right after `super.init`, before another thread has the store.
  ///
  /// ```swift
  /// init() {
  ///   super.init(initialState: Settings(), name: "settings")
  ///   archive()
  /// }
  /// ```
  /// For a `ReactiveSubstance` that is made with closures it is called right after it has been made, instead of
  /// `archive: true`. If the flux is performing an operation then, which may already know the substance, or if it
  /// is observed, the archived state arrives a little later, as that of a ``DeferredArchive`` does. Otherwise the flux
  /// performs no operation while the archive is read: `migrate` must not wait for one.
  ///
  /// The key is that of a substance with the same name, `Fx.1.<name>`. So the store needs a name that is the same in
  /// each run. A subclass of `Substance` is asked for its `archiveKey()`; its other overridable methods are not asked.
  ///
  /// - Parameters:
  ///   - backend: where it is archived; `nil` for `Flask.defaultArchive`.
  ///   - delay: how long after the last change the state is saved.
  ///   - scheduler: the clock and the timer; the system's by default. A test passes its own.
  ///   - version: the version of the state's shape.
  ///   - migrate: changes an archive of one version into an archive of the next. See
  ///     `Substance.migrateArchive(from:_:)`.
  public final func archive(
    in backend: (any ArchiveBackend)? = nil,
    delay: Duration = .seconds(2),
    scheduler: (any ArchiveScheduler)? = nil,
    version: Int = 0,
    migrate: @escaping @Sendable (_ version: Int, _ archive: inout ArchiveValue) throws -> Void = { _, _ in }
  ) {
    // The store's initial state supplies the defaults that an older archive lacks.
    let initial = ArchivedState<S>(pinned: cell.pinCommitted())
    let maker = ArchiveMaker { key, place, store in
      TypedSubstanceArchive(
        ArchiveSettings(
          key: key,
          backend: place,
          delay: delay,
          scheduler: scheduler ?? store.flux.defaultArchiveScheduler,
          version: version,
          initial: { initial },
          migrate: { _, version, archive in try migrate(version, &archive) }
        ),
        of: store
      )
    }
    let held = archiver.object { Held(ArchiveSeat(maker, in: backend)) }
    guard let seat = held.value as? ArchiveSeat else {
      // Its place has refused it, or a shared group archives it.
      _ = seatOrFault()
      return
    }
    seat.replace(maker, in: backend)
    isArchiveWanted = true
    let isKnown = self is any MixerResponder || cell.isOpen || cell.committedVersion > 0
    if isKnown && !cell.listeners.isEmpty {
      // Its listeners are notified of what arrives.
      seat.load(into: self, isLater: true)
    } else if isKnown {
      seat.loadBetweenOperations(into: self)
    } else {
      seat.load(into: self)
    }
  }
}

extension ArchiveMaker {
  /// The maker for a store that has not called `archive()`.
  static let withoutSettings = ArchiveMaker(
    refusing: "it is a store; make its state `Codable`, and call `archive()` in its initialiser"
  )

  /// Returns a maker that calls the overridable methods of a substance for the settings of its archive.
  static func overridable<S>(of substance: Substance<S>) -> ArchiveMaker {
    guard substance.initialState != nil, let type = S.self as? any FlaskState.Type else {
      return ArchiveMaker(
        refusing:
          "\(S.self) is no `FlaskState`, or the substance was made without `archive:`; make the state one, and pass "
          + "`archive: true`"
      )
    }
    return overridable(type)
  }

  private static func overridable<S: FlaskState>(_ type: S.Type) -> ArchiveMaker {
    ArchiveMaker { key, place, substance in
      guard let substance = substance as? Substance<S>, let initial = substance.initialState else {
        return nil
      }
      return TypedSubstanceArchive(
        ArchiveSettings(
          key: key,
          backend: place,
          delay: .archiveDelay(seconds: substance.archiveDelay()),
          scheduler: substance.archiveScheduler(),
          version: substance.archiveVersion(),
          initial: { ArchivedState { initial.make() } },
          migrate: { substance, version, archive in
            try (substance as? Substance<S>)?.migrateArchive(from: version, &archive)
          }
        ),
        of: substance
      )
    }
  }
}
