/// A store of one value, the state. Any thread may read it at any time, and only mixes change it.
///
/// ```swift
/// let counter = Substance(Counter())
/// counter.mix { $0.count += 1 }
///
/// class Feed: Substance<AppState> {}
/// let feed = Feed()
/// ```
/// Any `Sendable` value can be a state: a struct, whose stored properties are the keys; an enum; a number. Only a
/// `FlaskState` can be archived.
///
/// A subclass may add behaviour, not mutable stored properties: it is shared between threads. Swift 6 mode asks it to
/// restate `@unchecked Sendable`. In a module whose default isolation is the main actor it is a `nonisolated class`.
open class Substance<S: Sendable>: TypedSubstance<S>, @unchecked Sendable {
  /// A closure that returns the initial state of the substance, for values that an older archive lacks; `nil` if the
  /// substance cannot be archived.
  package final let initialState: InitialState<S>?

  /// A substance with the initial state `S()`, or with the state of its archive.
  ///
  /// - Parameters:
  ///   - name: the name in messages and of the archive. A substance without a name cannot be archived, unless
  ///     `archiveKey()` is overridden.
  ///   - archive: whether the state is read from its archive now, and saved some time after each change.
  ///   - backend: the backend of the archive; `nil` for `Flask.defaultArchive`.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - line: as `fileID`.
  public init(
    name: String? = nil,
    archive: Bool = false,
    in backend: (any ArchivePlace)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) where S: FlaskState {
    initialState = InitialState { S() }
    super.init(initial: TypedStateBox<S> { S() }, name: name, location: SourcePlace(fileID, line))
    beginArchiving(isWanted: archive, in: backend)
    didInit()
  }

  /// A substance with an initial state of any type.
  ///
  /// - Parameters:
  ///   - initial: the initial state.
  ///   - name: names it in messages.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - line: as `fileID`.
  public init(
    _ initial: S,
    name: String? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    initialState = nil
    super.init(initial: TypedStateBox<S> { initial }, name: name, location: SourcePlace(fileID, line))
    didInit()
  }

  /// A substance with an initial state, or with the state of its archive. Values that an older archive lacks are taken
  /// from the initial state.
  ///
  /// - Parameters:
  ///   - initial: the initial state.
  ///   - name: the name in messages and of the archive. A substance without a name cannot be archived, unless
  ///     `archiveKey()` is overridden.
  ///   - archive: whether the state is read from its archive now, and saved some time after each change.
  ///   - backend: the backend of the archive; `nil` for `Flask.defaultArchive`.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - line: as `fileID`.
  public init(
    _ initial: S,
    name: String? = nil,
    archive: Bool,
    in backend: (any ArchivePlace)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) where S: FlaskState {
    initialState = InitialState { initial }
    super.init(initial: TypedStateBox<S> { initial }, name: name, location: SourcePlace(fileID, line))
    beginArchiving(isWanted: archive, in: backend)
    didInit()
  }

  override class var classOfFlask: AnySubstance.Type { Substance<S>.self }

  /// Called at the end of each initialiser.
  func didInit() {}

  // MARK: The draft

  /// The draft. Read and write it inside of a mix of this substance, on the thread that performs the mix.
  ///
  /// Anywhere else it is a fault: a read returns the committed state, and a write is dropped. It is also a fault during
  /// another write access to `prop`, such as one inside a closure that was passed to a mutating method of `prop`.
  @inlinable
  public final var prop: S {
    _read {
      if let draft = cell.beginReadingDraft() {
        defer { cell.endReadingDraft() }
        yield draft.assumingMemoryBound(to: S.self).pointee
      } else {
        // The caller uses only the address of the box, so without this the box could be freed during the call.
        let stray = fallbackDraft("read")
        defer { withExtendedLifetime(stray) {} }
        yield stray.address.assumingMemoryBound(to: S.self).pointee
      }
    }
    _modify {
      if let draft = cell.beginWriting() {
        defer { cell.endWriting() }
        yield &draft.assumingMemoryBound(to: S.self).pointee
      } else {
        // The caller uses only the address of the box, so without this the box could be freed during the call.
        let stray = fallbackDraft("written")
        defer { withExtendedLifetime(stray) {} }
        yield &stray.address.assumingMemoryBound(to: S.self).pointee
      }
    }
  }

  // MARK: To be overridden: how the state is archived

  /// The first part of the archive's key; by default "1".
  open func archiveKeySpace() -> String { "1" }

  /// The key of the archive; `Fx.<key space>.<name>` unless overridden. Flask calls this when the archive is opened,
  /// and after the substance was renamed.
  open func archiveKey() -> String { "Fx.\(archiveKeySpace()).\(name())" }

  /// The delay in seconds from the last change until the state is saved; 2 unless overridden. During continuous changes
  /// the state is saved every 10 seconds, or after each delay if the delay is longer.
  open func archiveDelay() -> Double { 2 }

  /// `true` if the state is neither read from an archive nor saved. Unless overridden, this is the opposite of
  /// `shouldArchive`.
  ///
  /// Called when the substance is made, when `shouldArchive` is set, and by `archiveNow()`. While the state is
  /// archived, it is also called after each change, on the thread that performs the mix. The last result before a save
  /// decides whether the state is saved.
  open func archiveDisabled() -> Bool { !isArchiveWanted }

  /// The version of the state's properties; 0 unless overridden. Raise it when a property is renamed or changes its
  /// meaning.
  open func archiveVersion() -> Int { 0 }

  /// Converts an archive from `version` to `version + 1`. Called once for each version, from the version of the archive
  /// up to, but not including, `archiveVersion()`. If it throws, the archive counts as unusable: it is quarantined, and
  /// a fault is reported.
  ///
  /// Properties that were added need no migration: they take their defaults.
  open func migrateArchive(from version: Int, _ archive: inout ArchiveValue) throws {}

  /// The clock and the timer of the archive: the system's, or a test's in `withTestFlux`. Overridable.
  open func archiveScheduler() -> any ArchiveScheduler { flux.defaultArchiveScheduler }

  private final func beginArchiving(isWanted: Bool, in place: (any ArchivePlace)?) {
    isArchiveWanted = isWanted
    if archiveDisabled() && place == nil { return }
    if let place = place as? any ArchiveProvider { return place.begin(self, in: place) }
    if let provider = ArchiveSupport.provider { return provider.begin(self, in: place) }
    report(
      .archiveOff,
      "\(name()) is not archived: this program does not use `FlaskArchive`; add that module, or leave out `archive:`"
    )
  }

  // MARK: What an archiver asks

  package override final func isArchivingOff() -> Bool { archiveDisabled() }

  package override final func presentArchiveKey() -> String? {
    let key = archiveKey()
    let isGiven = key != "Fx.\(archiveKeySpace()).\(name())"
    return archiveKey(key, isGiven: isGiven, orElse: "pass `name:`, or override `archiveKey()`")
  }

  // MARK: Restore points

  /// Captures the committed state as the restore point of this substance, replacing an earlier restore point.
  ///
  /// May be called on any thread. The call itself copies nothing; the next mix copies the state once.
  public final func captureState() { cell.setRestorePoint(true) }

  /// Restores the captured state, as an operation of the flux: reactors are notified of the keys that change back. The
  /// restore point stays until `commitState()`. Without a restore point the call is a fault, and the operation aborts.
  @discardableResult
  public final func rollbackState(
    isolation: (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> FluxReceipt {
    let options = MixOptions(isolation, fileID, line)
    if cell.refuseInDeinit(at: options.place) { return .aborted }
    if !cell.hasRestorePoint {
      report(
        .nothingCaptured,
        "\(name()) has no captured state to roll back to; call `captureState()` first",
        at: options.place
      )
      return .aborted
    }
    let identity = OperationIdentity(.rollback, at: options.place)
    return flux.perform(identity, isolation: options.isolation) { [self] drafts in
      guard cell.draftRestorePoint() else { return .abort }
      drafts.append(cell)
      return .commit
    }
  }

  /// Removes the restore point, so that the changes since then can't be rolled back. Does nothing without a restore
  /// point.
  public final func commitState() { cell.setRestorePoint(false) }
}

/// A closure that makes a state. The struct exists because an optional closure would be stored in another
/// representation.
package struct InitialState<S: Sendable>: Sendable {
  package let make: @Sendable () -> S
}
