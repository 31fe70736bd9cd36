/// The place of one member in a group: by it the member is read, saved and removed as by an archive of its own.
///
/// When it is released, or closed, the member is saved once more if it has changed, and its part stays in the group.
/// Any thread may call any method.
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

  /// Reads the part, after whatever is being written, and waits. Reports failures. If the group has no such part, the
  /// archive that the member has for itself in the same place is taken over.
  ///
  /// - Parameters:
  ///   - shape: how the state stands in the archive.
  ///   - install: takes a state over, if there is one, and returns the state that is there now, as a snapshot would.
  ///     On the calling thread.
  /// - Complexity: O(*n*) in the number of bytes.
  func load<State>(as shape: ArchiveShape<State>, install: (State?) -> PinnedState) {
    let (contents, key) = (group.contents, key)
    // Inside of an exchange of the group, as while a member is encoded, there is no other one.
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
      // Taken over: it gets into the group soon, whether or not it changes.
      stateChanged()
    }
  }

  /// Installs the writes of others, unless a state of another member prevents it: then the result may be older, and the
  /// rest is installed later.
  private static func receive(_ sharing: GroupSharing) throws(ArchiveError) {
    do throws(ArchiveError) { try sharing.exchange(isWriting: false) } catch .notEncodable, .refused {}
  }

  /// In a shared group, changes here are computed from the base of the member. The base is recorded on the group's
  /// queue, before the next exchange; the caller does not wait for that, except an exchange in progress around this
  /// call.
  private func begin(with state: PinnedState) {
    let (contents, part, slot) = (group.contents, member.part, group.writer.slot)
    // Before the member is active: an exchange that saves its state finds its base.
    if group.sharing != nil { contents.willBegin { contents.begin(with: state, of: part) } }
    contents.takePart(id)
    guard let sharing = group.sharing else { return }
    let end: @Sendable () -> Void = {
      contents.noteBeginnings()
      // An exchange during the reading had no active member to deliver to.
      if contents.isOvertaken(part.key) { sharing.receiveLater() }
    }
    if slot.isWorkingHere { end() } else { slot.perform(end) }
  }

  /// The member has had an archive of its own in the same place, and brings its state along: the archive is removed
  /// once the group is saved.
  package func takeOver() {
    group.contents.noteTakenOver(key)
    stateChanged()
  }

  /// Says that the state has changed. Returns at once.
  package func stateChanged() {
    group.contents.noteChange(of: id)
    group.writer.stateChanged()
  }

  /// Saves the current states of the whole group, and waits until they are durable.
  ///
  /// - Throws: why it is not known to be durable; reported as a fault too.
  package func archiveNow() throws(ArchiveError) {
    group.contents.takePart(id)
    try settle(group.writer.saved())
  }

  /// Saves the current states of the whole group, and suspends until they are durable.
  ///
  /// - Throws: why it is not known to be durable; reported as a fault too.
  package func archiveNow() async throws(ArchiveError) {
    group.contents.takePart(id)
    try await settle(group.writer.saved())
  }

  /// Reports a save, and throws if it failed for this part: that others stay as they are is no failure of it.
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
  /// - Throws: why the part may still be there; reported as a fault too.
  package func purge() throws(ArchiveError) {
    try takeOut()
    ArchiveReader(backend: group.contents.backend, key: key).removeSetAside()
  }

  private func takeOut() throws(ArchiveError) {
    let (contents, key) = (group.contents, key)
    group.writer.slot.performAndWait { contents.remove(key) }
    try settle(group.writer.saved())
  }

  /// Gives the place up, and takes the part out of the group.
  ///
  /// - Throws: why the part may still be there; reported as a fault too.
  package func leave() throws(ArchiveError) {
    group.contents.close(id, isPending: false)
    try takeOut()
  }

  /// Leaves the place: unsaved changes are still saved, soon, and the part stays in the group.
  package func close() {
    let (contents, writer) = (group.contents, group.writer)
    let isPending = writer.isPending
    contents.close(id, isPending: isPending)
    guard isPending else { return }
    writer.saveIfPending()
  }
}
