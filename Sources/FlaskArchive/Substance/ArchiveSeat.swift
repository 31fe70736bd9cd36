internal import FlaskPrimitives

/// The archiver of one substance. The kernel notifies it of commits and of a new name.
///
/// Any thread may call any method. Client code (`archiveKey()` and other overridable methods, a migration, a backend)
/// runs without a lock.
final class ArchiveSeat: SubstanceArchiver {
  private struct State {
    /// Makes the archive of the substance, in a given backend.
    var maker: ArchiveMaker
    /// The backend of the substance's archive; `nil` for the default backend.
    var backend: (any ArchiveBackend)?
    /// The archive of the substance. It is made on first use, and replaced when a new name results in another key.
    var archive: (any SubstanceArchive)?
    /// The number of replacements and removals of `archive`. An archive that was made for an earlier generation is
    /// discarded.
    var generation = 0
    /// The deferred reading of the archive; `nil` once the archived state is installed.
    var opening: ArchiveOpening?
    /// True while a thread moves the archive to a new name (`isMoving`), and if this thread must check the name again
    /// (`isMoveDue`).
    var isMoving = false
    var isMoveDue = false
  }

  private let state: Lock<State>

  init(_ maker: ArchiveMaker, in backend: (any ArchiveBackend)?) {
    state = Lock(State(maker: maker, backend: backend))
  }

  /// Replaces the closure that makes the substance's archive (the maker), and the backend. The next archive is made
  /// with them.
  func replace(_ maker: ArchiveMaker, in backend: (any ArchiveBackend)?) {
    state.withLockReleasing { state in
      defer { (state.maker, state.backend) = (maker, backend) }
      return (state.maker, state.backend)
    }
  }

  var refusal: String? { state.withLock { $0.maker.refusal } }

  /// The archive if it has already been made.
  var present: (any SubstanceArchive)? { state.withLock { $0.archive } }

  /// Returns the archive, and makes it if it does not exist. The result is `nil` after a fault, or if there is a
  /// `refusal`.
  func archive(of substance: AnySubstance) -> (any SubstanceArchive)? {
    let (present, generation) = state.withLock { ($0.archive, $0.generation) }
    if let present { return present }
    guard let key = substance.presentArchiveKey(), let new = makeArchive(key, substance) else { return nil }
    return state.withLock { state in
      if state.generation == generation {
        state.archive = new
        state.generation += 1
      }
      return state.archive
    }
  }

  private func makeArchive(_ key: String, _ substance: AnySubstance) -> (any SubstanceArchive)? {
    let place = place(of: substance)
    return state.withLock { $0.maker }.make(key, (place as? DeferredArchive)?.place ?? place, substance)
  }

  private func place(of substance: AnySubstance) -> any ArchiveBackend {
    state.withLock { $0.backend } ?? DefaultArchive.backend(of: substance.flux)
  }

  /// Determines whether the state may be saved, and stores the answer for later saves.
  func updateSavable(_ substance: AnySubstance) -> Bool {
    let isSavable = opening == nil && !substance.isArchivingOff()
    substance.cell.isSavable = isSavable
    return isSavable
  }

  /// Reads and installs the archived state of a substance that may be in use: it was mixed, or reacts to global mixers.
  /// The flux performs no operation meanwhile. If one is in progress now, another thread reads the archive, and an
  /// operation installs the state (see `DeferredArchive`).
  func loadBetweenOperations(into substance: AnySubstance) {
    let hasLoaded = substance.flux.performBetweenOperations { load(into: substance) }
    if !hasLoaded { load(into: substance, isLater: true) }
  }

  /// Installs the archived state, if the archive has one. Precondition: no operation can use the substance.
  ///
  /// - Parameter isLater: whether the state is to arrive later, by an operation.
  func load(into substance: AnySubstance, isLater: Bool = false) {
    guard updateSavable(substance), let archive = archive(of: substance) else { return }
    if isLater || place(of: substance) is DeferredArchive || archive.group?.isDeferred == true {
      return loadLater(from: archive, into: substance)
    }
    let cell = substance.cell
    cell.setNotice(Cell.Notice.archive, true)
    archive.load { state in
      cell.install(state.box)
      return PinnedState(cell.pinCommitted())
    }
  }

  var opening: ArchiveOpening? {
    get { state.withLock { $0.opening } }
    set { state.withLock { $0.opening = newValue } }
  }

  /// Archiving of the substance has ended.
  func giveUp() {
    state.withLockReleasing { state in
      state.generation += 1
      state.opening = nil
      return state.archive.take()
    }
  }

  func didPublish(_ substance: AnySubstance) {
    if substance.cell.notices & Cell.Notice.unread != 0, recordUnread(substance) { return }
    guard updateSavable(substance) else { return }
    archive(of: substance)?.stateChanged()
  }

  // MARK: Groups

  /// Moves the archive into a group, or, with `nil`, out of its group into a separate archive in the same place.
  func move(_ substance: AnySubstance, to group: ArchiveGroup?) -> Bool {
    guard hasRead(substance) else { return false }
    let wasWanted = substance.isArchiveWanted
    substance.isArchiveWanted = true
    guard updateSavable(substance) else {
      substance.isArchiveWanted = wasWanted
      substance.report(.archiveOff, "\(substance.name()) is not archived: its `archiveDisabled()` is `true`")
      return false
    }
    guard let present = archive(of: substance) else {
      substance.isArchiveWanted = wasWanted
      return false
    }
    guard present.group !== group, let from = group ?? present.group else { return true }
    let place: any ArchiveBackend = group ?? from.backend
    let new = present.remade(in: place, of: substance)
    let saved = PinnedState(substance.cell.pinSaved())
    // When the substance leaves a group, its new archive becomes durable before the part is removed from the group.
    if present.group != nil {
      new.takeOver()
      if new.group == nil { present.keepSeparate() }
      if !new.archiveNow() || !present.leave() {
        // The substance is still a member of its group. A new separate archive is removed by the group's next save
        // (`takeOver`), so that no later run takes it for a newer state.
        new.member.discard()
        if new.group == nil { present.takeOver() }
        return false
      }
    }
    state.withLock { state in
      state.archive = new
      state.backend = place
      state.generation += 1
    }
    substance.cell.setNotice(Cell.Notice.archive, true)
    new.takeOver()
    // A mix between the save and the exchange was noted by the old archive only.
    let isMixed = PinnedState(substance.cell.pinSaved()).box !== saved.box
    if present.group != nil, isMixed { new.stateChanged() }
    // The old archive is released without a lock, since its release saves its pending changes.
    withExtendedLifetime(present) {}
    return true
  }

  // MARK: Names

  func didRename(_ substance: AnySubstance) {
    // One thread moves the archive at a time. If another thread renames the substance meanwhile, the moving thread
    // checks again.
    let isFirst = state.withLock { state in
      state.isMoveDue = state.isMoving
      defer { state.isMoving = true }
      return !state.isMoving
    }
    if !isFirst { return }
    repeat {
      while !hasMoved(substance) {}
    } while state.withLock { state in
      defer { state.isMoveDue = false }
      state.isMoving = state.isMoveDue
      return state.isMoving
    }
  }

  private func hasMoved(_ substance: AnySubstance) -> Bool {
    let (present, generation) = state.withLock { ($0.archive, $0.generation) }
    guard let present, let key = substance.presentArchiveKey(), key != present.key,
      let new = makeArchive(key, substance)
    else { return true }
    let isDone = state.withLock { state in
      guard state.generation == generation else { return false }
      state.archive = new
      state.generation += 1
      return true
    }
    // The old archive is released without a lock, since its release saves its pending changes.
    withExtendedLifetime(present) {}
    return isDone
  }
}

/// The closure that makes the archive of a substance under a key. It is wrapped in a struct, as required for closures
/// in a lock: see `Lock`.
struct ArchiveMaker: Sendable {
  let make: @Sendable (_ key: String, _ place: any ArchiveBackend, AnySubstance) -> (any SubstanceArchive)?
  /// Why no archive is made: see `SubstanceArchiver.refusal`.
  let refusal: String?

  init(
    _ make:
      @escaping @Sendable (_ key: String, _ place: any ArchiveBackend, AnySubstance) -> (
        any SubstanceArchive
      )?
  ) {
    self.make = make
    refusal = nil
  }

  /// A maker that makes no archive.
  init(refusing reason: String) {
    make = { _, _, _ in nil }
    refusal = reason
  }
}

extension ArchiveSupport: ArchiveProvider {
  package func begin<S>(_ substance: Substance<S>, in place: (any ArchivePlace)?) {
    let backend = place as? any ArchiveBackend
    if let place, backend == nil {
      let reason = "\(type(of: place)) is no `ArchiveBackend`; make it conform to that protocol"
      substance.refuseArchiving(reason)
      return substance.report(.archiveOff, "\(substance.name()) is not archived: \(reason)")
    }
    let held = substance.archiver.object {
      Held(ArchiveSeat(.overridable(of: substance), in: backend))
    }
    (held.value as? ArchiveSeat)?.load(into: substance)
  }
}
