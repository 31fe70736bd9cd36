@_spi(FlaskInternals) public import FlaskArchive
@_spi(FlaskInternals) internal import FlaskDiff

/// A store: one struct of state, read by anyone at any time and changed by mixes alone.
///
/// ```swift
/// class Feed: Substance<AppState> {}
/// let feed = Feed()
/// ```
///
/// A substance belongs to the flux that is current when it is made (`Flux.current`). Its state lives on the heap and
/// is never passed around by value.
///
/// A subclass may add behaviour, not mutable stored properties: it is shared between threads. Swift 6 mode asks it to
/// restate `@unchecked Sendable`.
open class Substance<S: State>: AnySubstance, @unchecked Sendable {
  let archiving: Lock<SubstanceArchiving<S>>
  /// Tells the archiver of a change. Set under the lock of `archiving`, together with the archiver.
  let noteToArchiver = Lock(NoteToArchiver())

  /// A substance with the initial state `S()`, or with what its archive holds.
  ///
  /// - Parameters:
  ///   - name: names it in messages, and its archive. Without one, the substance gets a name of its own, which is another one in
  ///     each run of the process.
  ///   - archive: whether the state is read from its archive now, and saved some time after each change.
  ///   - backend: where it is archived; `nil` for `Flask.defaultArchive`.
  ///   - fileID: where a fault of `prop` is reported at, since a property can't tell its caller.
  ///   - line: the line in that file.
  public init(
    name: String? = nil,
    archive: Bool = false,
    in backend: (any ArchiveBackend)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    let initial = TypedStateBox<S> { S() }
    let layout = StateLayout.of(S.self, example: initial.address.assumingMemoryBound(to: S.self))
    let place = SourcePlace(fileID, line)
    archiving = Lock(SubstanceArchiving(isWanted: archive, backend: backend))
    super.init(
      core: SubstanceCore(flux: Flux.current, layout: layout, initial: initial, place: place),
      name: name
    )
    loadArchive()
  }

  // MARK: State

  /// The last committed state; during a mix it is still the state before it. From any thread, at any time.
  ///
  /// Reading one property copies only that property: `substance.state.counter`.
  public final var state: S {
    _read {
      let box = core.pinCommitted()
      defer { box.unpin() }
      yield box.address.assumingMemoryBound(to: S.self).pointee
    }
  }

  /// The draft: to be read and written inside a mix of this substance, on the thread that performs it.
  ///
  /// Anywhere else it is a fault: a read gives the committed state, and what is written is dropped.
  @inlinable
  public final var prop: S {
    _read {
      if let draft = openDraft {
        yield draft.assumingMemoryBound(to: S.self).pointee
      } else {
        // Only its address is used, so without this the box would be freed before the caller is done with it.
        let stray = strayDraft("read")
        defer { withExtendedLifetime(stray) {} }
        yield stray.address.assumingMemoryBound(to: S.self).pointee
      }
    }
    _modify {
      if let draft = openDraft {
        yield &draft.assumingMemoryBound(to: S.self).pointee
      } else {
        // Only its address is used, so without this the box would be freed before the caller is done with it.
        let stray = strayDraft("written")
        defer { withExtendedLifetime(stray) {} }
        yield &stray.address.assumingMemoryBound(to: S.self).pointee
      }
    }
  }

  // MARK: To be overridden: how the state is archived

  /// The first part of the archive's key; "1" unless overridden.
  open func archiveKeySpace() -> String { "1" }

  /// The key of the archive; `Fx.<key space>.<name>` unless overridden. Asked when the archive is opened, and after the name has
  /// been changed.
  open func archiveKey() -> String { "Fx.\(archiveKeySpace()).\(name())" }

  /// How many seconds after the last change the state is saved; 2 unless overridden. Under steady change it is saved every
  /// 10 seconds, or after each delay if that is longer.
  open func archiveDelay() -> Double { 2 }

  /// Whether the state is neither read from an archive nor saved; the opposite of `shouldArchive` unless overridden. Asked
  /// when the substance is made, when `shouldArchive` is set, and by `archiveNow()`; if it said no, then also after each change, on
  /// the thread that performs the mix. The last answer counts for the save that falls due.
  open func archiveDisabled() -> Bool { !shouldArchive }

  /// The version of the state's shape; 0 unless overridden. To be raised when a property is renamed or changes its meaning.
  open func archiveVersion() -> Int { 0 }

  /// Makes of an archive of `version` one of the next version. Called for each version from the archive's up to, and without,
  /// `archiveVersion()`. What it throws makes the archive an unusable one: it is set aside, and a fault says so.
  ///
  /// Properties that were added need no migration: they take their defaults.
  open func migrateArchive(from version: Int, _ archive: inout ArchiveValue) throws {}

  /// The clock and the timer of the archive; the system's unless overridden, as a test does.
  open func archiveScheduler() -> any ArchiveScheduler { DispatchArchiveScheduler() }

  /// Called by the performer after each commit while the substance is archived.
  override final func stateDidChange() { noteChange() }

  /// Called when the name changes, and with it the key: what is unsaved is saved under the old one.
  override final func nameDidChange() { moveArchive() }

  // MARK: Restore points

  /// Captures the committed state as the restore point of this substance, in place of an earlier one.
  ///
  /// From any thread. Costs one copy of the state at the next mix, not now.
  public final func captureState() { core.setRestorePoint(true) }

  /// Returns to the captured state, as an operation of the flux: reactors hear the keys that change back. The restore
  /// point stays until `commitState()`. Without one, a fault, and the operation aborts.
  @discardableResult
  public final func rollbackState(
    isolation: (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> FluxReceipt {
    if !core.hasRestorePoint {
      report(
        .nothingCaptured,
        "\(name()) has no captured state to roll back to; call `captureState()` first",
        at: SourcePlace(fileID, line)
      )
      return FluxReceipt(.aborted)
    }
    return core.flux.submit(.rollback(self), isolation: ActorIdentity(isolation))
  }

  /// Drops the restore point: the changes since it are there to stay. Does nothing without one.
  public final func commitState() { core.setRestorePoint(false) }
}
