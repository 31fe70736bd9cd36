internal import Dispatch
internal import FlaskDiff
internal import FlaskPrimitives

/// An archive that is being read after its substance has been made: see `DeferredArchive`.
///
/// `@unchecked Sendable`: the variables belong to the performer of the flux.
final class ArchiveOpening: @unchecked Sendable {
  let cell: Cell
  /// Until what was read has come in.
  private let held: Lock<(substance: AnySubstance, archive: any SubstanceArchive)?>
  /// The state that the substance was made with.
  let base: PinnedState
  /// Entered until what was read has come in: for who waits for this one, for its group, for all.
  let groups: [DispatchGroup]
  /// What has been mixed meanwhile.
  var mixed = ChangeSet()
  /// Whether the operation is in progress by which it comes in.
  var isArriving = false

  var substance: AnySubstance? { held.withLock { $0?.substance } }
  var archive: (any SubstanceArchive)? { held.withLock { $0?.archive } }

  private static let all = Lock<[ObjectIdentifier: ArchiveOpening]>([:])
  /// A normal end of the process waits for them: what was mixed meanwhile is saved after that.
  private static let everyone: DispatchGroup = {
    let everyone = DispatchGroup()
    ProcessExit.prepare {
      if everyone.wait(timeout: .now() + .seconds(5)) == .success { return }
      for opening in all.withLock({ Array($0.values) }) where opening.cell.hasNotice(Cell.Notice.mixedUnread)
      {
        let what = "what was mixed in \(opening.cell.subject.name) is lost"
        opening.cell.report(.archiveNotSaved, "\(what): the process ends while its archive is being read")
      }
    }
    return everyone
  }()

  init(of substance: AnySubstance, from archive: any SubstanceArchive) {
    cell = substance.cell
    held = Lock((substance, archive))
    base = PinnedState(cell.pinCommitted())
    groups = [DispatchGroup(), Self.everyone] + (archive.group.map { [$0.readings] } ?? [])
  }

  /// To be called once. Returns the others of the same archive, and that as they have it.
  func begin() -> [(opening: ArchiveOpening, archive: any SubstanceArchive)] {
    for group in groups { group.enter() }
    let others = Self.all.withLock { all in
      defer { all[ObjectIdentifier(self)] = self }
      return all.values.compactMap { other in other.archive.map { (other, $0) } }
    }
    return others.filter { $0.1.key == archive?.key && $0.1.location == archive?.location }
  }

  /// Lets go of the substance, and then has those go on who wait.
  func end() {
    Self.all.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(self)) }
    held.withLockReleasing { $0.take() }
    for group in groups { group.leave() }
  }

  /// The state with what was read and what has been mixed below one key; `nil` if both have not changed one.
  func merged(_ read: PinnedState, _ present: PinnedState) -> PinnedState? {
    conflicts(read, present).hasDirty ? archive?.merged(base: base, mine: present, theirs: read) : nil
  }

  /// What was read and what has been mixed differ from the beginning, and may have keys below.
  func conflicts(_ read: PinnedState, _ present: PinnedState) -> ChangeSet {
    var (theirs, mine, both) = (ChangeSet(), ChangeSet(), ChangeSet())
    let layout = cell.layout
    layout.compare(old: base.box.address, new: read.box.address, into: &theirs)
    layout.compare(old: base.box.address, new: present.box.address, into: &mine)
    both.insertDirty(of: mine) { leaf in
      if case .bits = layout.unit(leaf).form { return false }
      return theirs.isDirty(leaf)
    }
    return both
  }

  /// Writes what was read into the draft, but for what has been mixed.
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
