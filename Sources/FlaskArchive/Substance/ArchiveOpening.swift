internal import Dispatch
internal import FlaskDiff
internal import FlaskPrimitives

/// An archive that is being read after its substance was made: see `DeferredArchive`.
///
/// `@unchecked Sendable`:
/// - Isolation: the variables belong to the performer of the flux, and to other threads once `groups` are left; `held`
///   guards itself, the rest is constant.
/// - If violated: a data race.
final class ArchiveOpening: @unchecked Sendable {
  let cell: Cell
  /// Identifies the archive that is being read: the location of its backend, and its key.
  private let place: [String]
  /// The substance and its archive. They are retained until the state that was read has been committed.
  private let held: Lock<(substance: AnySubstance, archive: any SubstanceArchive)?>
  /// The state that the substance was made with.
  let base: PinnedState
  /// Dispatch groups that are entered until the state that was read has been committed: the groups of this opening, of
  /// the archive group, and of the process.
  let groups: [DispatchGroup]
  /// The memory of the state that mixes have changed since the reading of the archive began. Archived values do not
  /// overwrite it.
  var mixed = ChangeSet()
  /// Whether the operation is in progress that commits the state that was read.
  var isArriving = false

  var substance: AnySubstance? { held.withLock { $0?.substance } }
  var archive: (any SubstanceArchive)? { held.withLock { $0?.archive } }

  private static let all = Lock<[ObjectIdentifier: ArchiveOpening]>([:])
  /// The dispatch group that all deferred readings enter. A normal end of the process waits for it before archives are
  /// saved.
  private static let everyone: DispatchGroup = {
    let everyone = DispatchGroup()
    ProcessExit.prepare {
      if everyone.wait(timeout: .now() + .seconds(5)) == .success { return }
      for opening in all.withLock({ Array($0.values) })
      where opening.cell.notices & Cell.Notice.mixedUnread != 0 {
        let what = "what was mixed in \(opening.cell.subject.name) is lost"
        opening.cell.report(.archiveNotSaved, "\(what): the process ends while its archive is being read")
      }
    }
    return everyone
  }()

  init(of substance: AnySubstance, from archive: any SubstanceArchive) {
    cell = substance.cell
    place = [archive.location, archive.key]
    held = Lock((substance, archive))
    base = PinnedState(cell.pinCommitted())
    groups = [DispatchGroup(), Self.everyone] + (archive.group.map { [$0.readings] } ?? [])
  }

  /// Returns the deferred reading of a cell's archive, if one is in progress. It lasts until the state that was read is
  /// installed and its handlers have been called.
  static func of(_ cell: Cell) -> ArchiveOpening? { all.withLock { $0.values.first { $0.cell === cell } } }

  /// Registers this deferred reading. Call it once.
  ///
  /// - Returns: other deferred readings of the same archive, each with the object that saves it.
  func begin() -> [(opening: ArchiveOpening, archive: any SubstanceArchive)] {
    for group in groups { group.enter() }
    return Self.all.withLock { all in
      defer { all[ObjectIdentifier(self)] = self }
      return all.values.compactMap { other in other.place == place ? other.archive.map { (other, $0) } : nil }
    }
  }

  /// Releases the substance, and then leaves the dispatch groups.
  func end() {
    Self.all.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(self)) }
    held.withLockReleasing { $0.take() }
    for group in groups { group.leave() }
  }

  /// Merges the state that was read into the present state, key by key.
  ///
  /// - Returns: the merged state; `nil` if nothing but numbers and truth values has changed in both states. It is also
  ///   `nil` if a state cannot be encoded.
  func merged(_ read: PinnedState, _ present: PinnedState) -> PinnedState? {
    conflicts(read, present).hasDirty ? archive?.merged(base: base, mine: present, theirs: read) : nil
  }

  /// Returns the memory in which both states differ from the initial state. Numbers and truth values do not count,
  /// since they have no keys that could be merged.
  func conflicts(_ read: PinnedState, _ present: PinnedState) -> ChangeSet {
    var theirs = ChangeSet()
    var mine = ChangeSet()
    var both = ChangeSet()
    let layout = cell.layout
    layout.compare(old: base.box.address, new: read.box.address, into: &theirs)
    layout.compare(old: base.box.address, new: present.box.address, into: &mine)
    both.insertDirty(of: mine) { leaf in
      if case .bits = layout.unit(leaf).form { return false }
      return theirs.isDirty(leaf)
    }
    return both
  }

  /// Writes the state that was read from the archive into the draft. A key that has been mixed in the meantime keeps
  /// its value, or gets a merged value.
  func write(_ read: PinnedState, _ present: PinnedState, _ merged: PinnedState?) {
    let layout = cell.layout
    _ = layout.copyDifferences(from: read.box.address, to: cell.draft)
    StateDelta(layout: layout, changes: &mixed, new: present.box.address).apply(to: cell.draft)
    if let merged {
      var both = conflicts(read, present)
      StateDelta(layout: layout, changes: &both, new: merged.box.address).apply(to: cell.draft)
    }
    cell.rebaseRestorePoint(on: read.box, but: &mixed)
  }
}
