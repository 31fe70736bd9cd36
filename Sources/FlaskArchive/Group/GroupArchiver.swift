/// Keeps several states in one archive. Each save writes a consistent snapshot of all of them.
///
/// Its `ArchiveWriter` decides when the group is saved, as for an archive of one state. Its `GroupContents` decides
/// what is saved. Any thread may call any method.
package final class GroupArchiver: Sendable {
  /// Reports a failure to read or save the group as a whole.
  package typealias FaultHandler = @Sendable (ArchiveFault) -> Void

  let contents: GroupContents
  let writer: ArchiveWriter
  private let owner: ArchiveOwner
  private let report: FaultHandler

  /// The key of a group in its backend.
  package static func key(of name: String) -> String { ArchiveKey.canonical("FxGroup.\(name)") }

  /// Makes a group without members. Nothing is read or written yet.
  ///
  /// - Parameters:
  ///   - name: the name of the group.
  ///   - place: the line of the source that made the group.
  ///   - backend: where it is kept.
  ///   - delay: how long after the last change of a member the group is saved.
  ///   - scheduler: the clock and the timer.
  ///   - onFault: gets the faults that concern the group as a whole.
  ///   - snapshot: returns a consistent snapshot of the members' states.
  init(
    name: String,
    place: String?,
    in backend: any ArchiveBackend,
    delay: Duration,
    scheduler: any ArchiveScheduler,
    onFault: @escaping FaultHandler,
    snapshot: @escaping ArchivePartSnapshot
  ) {
    let name = ArchiveKey.canonical(name)
    let key = Self.key(of: name)
    let owner = ArchiveOwner(name: "the group \"\(name)\"", place: place)
    let report: @Sendable (ArchiveFault.Kind) -> Void = {
      onFault(ArchiveFault(key: key, owner: owner, kind: $0))
    }
    let store = ArchiveStore(.group(name: name), key: key, in: backend)
    let contents = GroupContents(store, report: report, snapshot: snapshot)
    self.contents = contents
    self.owner = owner
    self.report = onFault
    writer = ArchiveWriter(
      store,
      owner: owner,
      isGroup: true,
      schedule: ArchiveSchedule(delay: delay, cap: .archiveCap),
      scheduler: scheduler,
      registry: .shared,
      report: onFault,
      didEnd: { contents.drop($0) },
      save: { contents.save($0) }
    )
    contents.begin(writer.id)
  }

  deinit { writer.close() }

  /// Adds a member. If two live members have one key, a fault names both.
  ///
  /// - Parameters:
  ///   - part: the member. The group retains it until the changes that were unsaved at its removal have been saved.
  ///   - owner: the owner, for faults.
  ///   - onFault: gets the faults that concern only this member.
  /// - Returns: the seat of the member: the object by which the member is read, saved and removed.
  func join(
    _ part: any ArchivePart,
    owner: ArchiveOwner,
    onFault: @escaping FaultHandler
  ) -> GroupSeat {
    let writer = writer
    let (id, others) = writer.decide { $0.join(part.key, owner: owner, of: writer.id) }
    let member = GroupContents.Member(id: id, part: part, owner: owner, report: onFault)
    contents.add(member)
    let seat = GroupSeat(member, of: self)
    if !others.isEmpty {
      onFault(ArchiveFault(key: part.key, owner: owner, kind: .sharedKey(owners: others + [owner])))
    }
    return seat
  }

  /// Saves the current states of all members, and waits until they are durable.
  ///
  /// - Throws: the reason why the states are not known to be durable; it is also reported as a fault.
  package func archiveNow() throws(ArchiveError) { try writer.settle(writer.saved()) }

  /// Saves the current states of all members, and suspends until they are durable.
  ///
  /// - Throws: the reason why the states are not known to be durable; it is also reported as a fault.
  package func archiveNow() async throws(ArchiveError) { try await writer.settle(writer.saved()) }

  /// Saves the current states of all members, and suspends until they are durable.
  ///
  /// - Throws: the reason why the states are not known to be durable. It is not reported.
  package func save() async throws(ArchiveError) { try await writer.settleThrowing(writer.saved()) }

  /// Removes the archive with all its parts, and waits until that is done. Each member is saved again once it changes.
  ///
  /// - Throws: the reason why the archive may still exist; it is also reported as a fault.
  package func purge() throws(ArchiveError) {
    let contents = contents
    writer.slot.performAndWait { contents.noteLeftovers() }
    try writer.purge { contents.forgetAll() }.get()
  }

  /// Waits until all started work on the archive is done, and all faults are reported.
  package func waitForWork() {
    writer.waitForWork()
    writer.waitForFaults()
  }

  func report(_ kind: ArchiveFault.Kind) { report(ArchiveFault(key: writer.key, owner: owner, kind: kind)) }
}
