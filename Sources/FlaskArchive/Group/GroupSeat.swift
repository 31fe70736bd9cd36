/// The connection of one member to its group. By this object the member is read, saved and removed as if it had an
/// archive of its own.
///
/// When the object is released, or closed, the member is saved once more if it has changed, and its part stays in the
/// group. Any thread may call any method.
package final class GroupSeat: Sendable {
  /// The key of the part.
  package var key: String { member.part.key }

  private let group: GroupArchiver
  private let member: GroupContents.Member
  private var id: Int { member.id }

  init(_ member: GroupContents.Member, of group: GroupArchiver) {
    self.group = group
    self.member = member
  }

  deinit { close() }

  /// Reads the part, after whatever is being written, and waits. Reports failures. If the group has no part of this
  /// key, the separate archive of the member in the same place is taken over.
  ///
  /// - Parameters:
  ///   - shape: how the state is archived.
  ///   - install: sets the state if one was read, and returns the substance's current state as a snapshot. It is called
  ///     on the calling thread.
  /// - Complexity: O(*n*) in the number of bytes.
  func load<State>(as shape: ArchiveShape<State>, install: (State?) -> PinnedState) {
    let contents = group.contents
    let key = key
    // A call from within an exchange of the group, such as one from `encode(to:)` of a member, must not begin a second
    // exchange.
    let sharing = group.sharing, isExchanging = group.writer.isWorkingHere
    let (damage, result) = group.writer.slot.performAndWait {
      () -> (ArchiveFault.Kind?, GroupContents.Read<State>) in
      do throws(ArchiveError) {
        if !isExchanging, let sharing { try Self.receive(sharing) }
        return (try contents.open(), contents.read(key, as: shape, isShared: sharing != nil))
      } catch {
        contents.refuse(key, because: error)
        return (nil, (.unreadable(error), .unreadable(error), false))
      }
    }
    if let damage { group.report(damage) }
    if let fault = result.fault { member.report(ArchiveFault(key: key, owner: member.owner, kind: fault)) }
    guard case .state(let state) = result.reading else {
      return begin(with: install(nil))
    }
    let installed = install(state)
    begin(with: installed)
    if result.isCurrent {
      contents.adopt(installed, of: id, key: key)
    } else if contents.content(of: key) == nil {
      // The state comes from a separate archive, so it is saved in the group soon, even if it does not change.
      stateChanged()
    }
  }

  /// Installs the writes of other processes before the part is read. If the state of another member prevents that, the
  /// part may be older, and the writes are installed later.
  private static func receive(_ sharing: GroupSharing) throws(ArchiveError) {
    do throws(ArchiveError) { try sharing.exchange(isWriting: false) } catch .notEncodable, .refused {}
  }

  /// Makes the member active after it was read. In a shared group the state also becomes the base of the member: later
  /// changes are computed from the base. The base is recorded on the group's queue before the next exchange, and the
  /// caller does not wait. Within an exchange the base is recorded at once.
  private func begin(with state: PinnedState) {
    let contents = group.contents
    let part = member.part
    let slot = group.writer.slot
    // The closure that records the base (the state as it was read) is registered before the member is active. So an
    // exchange with other processes that saves the member finds its base.
    if group.sharing != nil { contents.willBegin { contents.begin(with: state, of: part) } }
    contents.takePart(id)
    guard let sharing = group.sharing else { return }
    let end: @Sendable () -> Void = {
      contents.noteBeginnings()
      // An exchange with other processes during the reading has installed nothing, since the member was not active. So
      // their writes are read again.
      if contents.isOvertaken(part.key) { sharing.receiveLater() }
    }
    if slot.isWorkingHere { end() } else { slot.perform(end) }
  }

  /// Moves the state of the member from its separate archive in the same backend to the group. The separate archive is
  /// removed once the group is saved.
  package func takeOver() {
    group.contents.noteTakenOver(key)
    stateChanged()
  }

  /// Records that the state has changed. Returns at once.
  package func stateChanged() {
    group.contents.noteChange(of: id)
    group.writer.stateChanged()
  }

  /// Saves the current states of all members, and waits until they are durable.
  ///
  /// - Throws: the reason why the part is not known to be durable; it is also reported as a fault.
  package func archiveNow() throws(ArchiveError) {
    group.contents.takePart(id)
    try settle(group.writer.saved())
  }

  /// Saves the current states of all members, and suspends until they are durable.
  ///
  /// - Throws: the reason why the part is not known to be durable; it is also reported as a fault.
  package func archiveNow() async throws(ArchiveError) {
    group.contents.takePart(id)
    try await settle(group.writer.saved())
  }

  /// Reports the faults of a save, and throws if this part was not saved. Other unsaved parts cause no error.
  private func settle(_ save: ArchiveWriter.Save) throws(ArchiveError) {
    guard case .failure(.partsRefused) = save.outcome else { return try group.writer.settle(save) }
    guard let refusal = group.contents.refusal(of: key) else { return }
    let error = ArchiveError.refused(reason: "\(refusal)")
    member.report(ArchiveFault(key: key, owner: member.owner, kind: .notSaved(error)))
    throw error
  }

  /// Removes the part and its quarantined copies from the group, and waits until that is durable. The member is saved
  /// again once it changes.
  ///
  /// - Throws: the reason why the part may still exist; it is also reported as a fault.
  package func purge() throws(ArchiveError) {
    try takeOut()
    ArchiveReader(backend: group.contents.backend, key: key).removeSetAside()
  }

  private func takeOut() throws(ArchiveError) {
    let contents = group.contents
    let key = key
    group.writer.slot.performAndWait { contents.remove(key) }
    try settle(group.writer.saved())
  }

  /// Leaves the group, and removes the member's part from the archive.
  ///
  /// - Throws: the reason why the part may still exist; it is also reported as a fault.
  package func leave() throws(ArchiveError) {
    group.contents.close(id, isPending: false)
    try takeOut()
  }

  /// Removes the member from the group, but not its part from the archive. Unsaved changes are still saved, soon.
  package func close() {
    let contents = group.contents
    let writer = group.writer
    let isPending = writer.isPending
    contents.close(id, isPending: isPending)
    guard isPending else { return }
    writer.saveIfPending()
  }
}
