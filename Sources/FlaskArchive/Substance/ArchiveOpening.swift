internal import Dispatch
internal import FlaskDiff
internal import FlaskPrimitives
internal import Foundation

/// An archive that is being read after its substance was made: see `DeferredArchive`.
///
/// `@unchecked Sendable`:
/// - Isolation: the variables belong to the performer of the flux, and to other threads once `groups` are left;
///   `encoded` belongs to the reading thread until it submits the arrival; `held` guards itself, the rest is constant.
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
  /// The number of the last operation before the reading began.
  let begun: Int
  /// Whether a mix was committed since the reading of the archive began.
  var isMixed = false
  /// The encoded initial state, and a state that was read, which are merged with others.
  private var encoded: (read: PinnedState, base: Data, theirs: Data)?
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
      for opening in all.withLock({ Array($0.values) }) { opening.reportLoss("its archive is being read") }
    }
    return everyone
  }()

  init(of substance: AnySubstance, from archive: any SubstanceArchive) {
    cell = substance.cell
    place = [archive.location, archive.key]
    held = Lock((substance, archive))
    base = PinnedState(cell.pinCommitted())
    begun = cell.flux.queue.number
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

  /// Reports, once, that what was mixed is lost, since the process ends before the state that was read can arrive.
  func reportLoss(_ reason: String) {
    let isFirst = Self.all.withLock { $0.removeValue(forKey: ObjectIdentifier(self)) != nil }
    guard isFirst, cell.notices & Cell.Notice.mixedUnread != 0 else { return }
    let what = "what was mixed in \(cell.subject.name) is lost"
    cell.report(.archiveNotSaved, "\(what): the process ends while \(reason)")
  }

  /// Releases the substance, and then leaves the dispatch groups.
  func end() {
    Self.all.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(self)) }
    held.withLockReleasing { $0.take() }
    for group in groups { group.leave() }
  }

  /// Merges the state that was read into a state that was made from the initial state, key by key.
  ///
  /// - Returns: the merged state; `nil` if nothing but numbers and truth values has changed in both states. It is also
  ///   `nil` if a state cannot be encoded.
  func merged(_ read: PinnedState, _ state: PinnedState) -> PinnedState? {
    guard conflicts(read, differences(in: state.box)).hasDirty, let archive else { return nil }
    if encoded?.read.box !== read.box {
      guard let base = archive.encoded(base), let theirs = archive.encoded(read) else { return nil }
      encoded = (read, base, theirs)
    }
    return encoded.flatMap { archive.merged(base: $0.base, mine: state, theirs: $0.theirs) }
  }

  /// The parts of a state whose values differ from the initial state. A value that was changed and changed back counts
  /// as unchanged.
  private func differences(in state: StateBox) -> ChangeSet {
    let layout = cell.layout
    var bits = ChangeSet()
    var values = ChangeSet()
    layout.compare(old: base.box.address, new: state.address, into: &bits)
    values.insertDirty(of: bits) { !layout.areEqual(base.box.address, state.address, leaf: $0) }
    return values
  }

  /// The part of `mine` in which the state that was read differs from the initial state, too. Numbers and truth values
  /// do not count, since they have no keys that could be merged.
  private func conflicts(_ read: PinnedState, _ mine: ChangeSet) -> ChangeSet {
    let theirs = differences(in: read.box)
    var both = ChangeSet()
    both.insertDirty(of: mine) { leaf in
      if case .bits = cell.layout.unit(leaf).form { return false }
      return theirs.isDirty(leaf)
    }
    return both
  }

  /// Returns `state` as it would be if the substance had been made with the archived state. A key that mixes have
  /// changed keeps its value, or gets the merged value. All other keys get their archived values.
  private func rebased(_ state: StateBox, on read: PinnedState, _ merged: PinnedState?) -> StateBox {
    let layout = cell.layout
    let new = read.box.copy()
    var mine = differences(in: state)
    StateDelta(layout: layout, changes: &mine, new: state.address).apply(to: new.address)
    if let merged {
      var both = conflicts(read, mine)
      StateDelta(layout: layout, changes: &both, new: merged.box.address).apply(to: new.address)
    }
    return new
  }

  /// Writes the archived state into the draft, with the changes that mixes have made in the meantime. Also rebases the
  /// restore point, undo steps and pending changes of the substance on the archived state: see `StateKeeper.rebase`.
  func write(_ read: PinnedState, _ present: PinnedState, _ merged: PinnedState?) {
    let arriving = rebased(present.box, on: read, merged)
    withExtendedLifetime(arriving) {
      _ = cell.layout.copyDifferences(from: arriving.address, to: cell.draft)
    }
    let rebase: (StateBox) -> StateBox = { box in
      box.pin()
      let state = PinnedState(box)
      return self.rebased(box, on: read, self.merged(read, state))
    }
    cell.rebaseRestorePoint(rebase)
    for keeper in cell.flux.stateKeepers.all {
      keeper.rebase(cell, since: begun, from: base.box, rebase)
    }
    // The exchange may precede the commit: nothing saves the substance while its archive is being read.
    cell.flux.stateKeepers.exchangeConfirmed(of: [cell])
  }
}
