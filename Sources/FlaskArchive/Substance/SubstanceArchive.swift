internal import FlaskPrimitives
internal import Foundation

/// Saves the state of one substance under one key, whatever its type.
protocol SubstanceArchive: AnyObject, Sendable {
  var key: String { get }
  /// The location of the archive's backend.
  var location: String { get }
  /// Reads the archived state, if one exists, and passes it to `install`, which installs it and returns the state of
  /// the substance afterwards.
  func load(_ install: (PinnedState) -> PinnedState)
  /// Returns a state as its archive has it; `nil` if it cannot be encoded.
  func encoded(_ state: PinnedState) -> Data?
  /// Merges the present state with a state that was read, key by key and entry by entry.
  ///
  /// - Parameters:
  ///   - base: the initial state, as `encoded(_:)` returns it.
  ///   - theirs: the state that was read, as `encoded(_:)` returns it.
  /// - Returns: the merged state; `nil` if it cannot be encoded.
  func merged(base: Data, mine: PinnedState, theirs: Data) -> PinnedState?
  /// The state has changed.
  func stateChanged()
  /// The member of the ledger that stands for the state.
  var member: any ArchiveMember { get }
  /// Why the archive could not be used when it was read; `nil` if it was, or if there was none.
  var readingError: ArchiveError? { get }
  /// The group that contains the archive; `nil` for a separate archive.
  var group: ArchiveGroup? { get }
  /// Makes the archive of the same substance in another backend. Nothing is read.
  func remade(in backend: any ArchiveBackend, of substance: AnySubstance) -> any SubstanceArchive
  /// The substance is about to have a separate archive in the same backend.
  func keepSeparate()
  /// Moves the state from a separate archive to the group in the same backend.
  func takeOver()
  /// Removes the part from its group.
  ///
  /// - Returns: whether it was removed.
  func leave() -> Bool
}

extension SubstanceArchive {
  // Errors were reported.

  /// Saves the state now, and returns whether it is durable.
  func archiveNow() -> Bool { (try? member.archiveNow()) != nil }

  func archiveNow() async -> Bool { (try? await member.archiveNow()) != nil }

  /// Removes the archive.
  ///
  /// - Returns: whether it was removed.
  func purge() -> Bool { (try? member.purge()) != nil }
}

/// How a substance is archived.
struct ArchiveSettings<S: Codable & Sendable>: Sendable {
  var key: String
  var backend: any ArchiveBackend
  let delay: Duration
  let scheduler: any ArchiveScheduler
  let version: Int
  let initial: @Sendable () -> ArchivedState<S>
  let migrate: @Sendable (_ of: AnySubstance?, _ version: Int, _ archive: inout ArchiveValue) throws -> Void
}

/// The archive of a substance whose state has this type: a separate archive, or a part of a group.
///
/// The archive retains the cell, not the substance, so that the last changes can be saved after the substance was
/// deallocated.
final class TypedSubstanceArchive<S: Codable & Sendable>: SubstanceArchive {
  private let settings: ArchiveSettings<S>
  private let shape: ArchiveShape<ArchivedState<S>>
  /// The archiver of a substance that is in no group.
  let archiver: StateArchiver<ArchivedState<S>>?
  private let seat: GroupSeat?
  let member: any ArchiveMember
  let group: ArchiveGroup?
  private let flux: Flux
  private let unread = Lock<ArchiveError?>(nil)

  init(_ settings: ArchiveSettings<S>, of substance: AnySubstance) {
    let cell = substance.cell
    self.settings = settings
    flux = cell.flux
    // The shape contains the migrations.
    let reference = substance.reference
    // The shape may outlive the archive in a member that is being saved. It must not retain the group.
    let initial = settings.initial
    let migrate = settings.migrate
    let shape = ArchiveShape(version: settings.version, initial: initial()) { version, archive in
      try migrate(reference(), version, &archive)
    }
    self.shape = shape
    let owner = ArchiveOwner(
      name: cell.subject.name,
      place: cell.subject.location.description,
      substance: cell.subject.serial
    )
    group = settings.backend as? ArchiveGroup
    if let group {
      archiver = nil
      let seat = group.archiver.join(
        SubstancePart(key: settings.key, shape: shape, of: cell),
        owner: owner,
        onFault: { cell.report($0) }
      )
      self.seat = seat
      member = seat
      return
    }
    seat = nil
    let archiver = StateArchiver(
      key: settings.key,
      owner: owner,
      in: settings.backend,
      as: shape,
      schedule: ArchiveSchedule(delay: settings.delay, cap: .archiveCap),
      scheduler: settings.scheduler,
      registry: .shared,
      onFault: { cell.report($0) },
      snapshot: { cell.isSavable ? ArchivedState(pinned: cell.pinSaved()) : nil }
    )
    self.archiver = archiver
    member = archiver.member
  }

  var key: String { settings.key }
  var location: String { settings.backend.location }

  func remade(in backend: any ArchiveBackend, of substance: AnySubstance) -> any SubstanceArchive {
    var settings = settings
    settings.backend = backend
    return TypedSubstanceArchive(settings, of: substance)
  }

  func load(_ install: (PinnedState) -> PinnedState) {
    var error: ArchiveError?
    var isRead = false
    if let archiver {
      let reading = archiver.load()
      if case .state(let state) = reading {
        isRead = true
        _ = install(state.pinned)
      }
      error = reading.error
    } else {
      error = seat?.load(as: shape) { state in
        isRead = true
        return install(state.pinned)
      }
    }
    if error == nil, !isRead, let key = keySetAside {
      error = .corrupt(
        reason: "an earlier start has quarantined the archive \"\(key)\", which could not be used"
      )
    }
    unread.withLock { $0 = error }
  }

  /// The key of an archive that an earlier start, or an earlier member of the group, could not use.
  private var keySetAside: String? {
    let backend = group?.backend ?? settings.backend
    return ([key] + (group.map { [$0.archiver.contents.key] } ?? [])).first {
      ArchiveReader(backend: backend, key: $0).isSetAside
    }
  }

  var readingError: ArchiveError? { unread.withLock { $0 } }

  func encoded(_ state: PinnedState) -> Data? { try? shape.encode(ArchivedState(state), for: key) }

  func merged(base: Data, mine: PinnedState, theirs: Data) -> PinnedState? {
    guard let mine = encoded(mine) else { return nil }
    let merged = try? shape.merge(base: base, mine: mine, theirs: theirs, for: key)
    return merged.flatMap { try? shape.decode($0, for: key).state.pinned }
  }

  func takeOver() { seat?.takeOver() }

  func keepSeparate() { seat?.keepSeparate() }

  func stateChanged() {
    group?.snapshots.didCommit(in: flux)
    member.stateChanged()
  }

  func leave() -> Bool { seat == nil || (try? seat?.leave()) != nil }
}

extension Cell {
  /// Reports a failure of an archive.
  fileprivate func report(_ fault: ArchiveFault) { subject.report(FlaskFault.Kind(fault), fault.description) }
}

extension FlaskFault.Kind {
  /// The failure of an archive.
  init(_ fault: ArchiveFault) {
    self =
      switch fault.kind {
      case .unreadable: .archiveUnreadable
      case .corrupt, .journalDamaged: .archiveCorrupt
      case .notSaved, .lost: .archiveNotSaved
      case .notRemoved: .archiveNotRemoved
      case .sharedKey: .archiveShared
      case .warning: .archiveWarning
      }
  }
}

/// The backend of substances that have no backend of their own.
enum DefaultArchive {
  static let backend = Lock<any ArchiveBackend>(platformBackend)

  /// The backend of the flux's environment, if the flux has an environment; otherwise the default.
  static func backend(of flux: Flux) -> any ArchiveBackend {
    flux.environment?.archive as? any ArchiveBackend ?? backend.withLock { $0 }
  }

  private static var platformBackend: any ArchiveBackend {
    #if canImport(Darwin)
      UserDefaultsArchive()
    #else
      FileArchive()
    #endif
  }
}
