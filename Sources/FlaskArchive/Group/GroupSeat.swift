/// The connection of one member to its group. By this object the member is read, saved and removed as if it had an
/// archive of its own.
///
/// When the object is released, or closed, the member is saved once more if it has changed, and its part stays in the
/// group. Any thread may call any method.
package final class GroupSeat: ArchiveMember {
  /// The key of the part.
  package var key: String { member.part.key }

  private let group: GroupArchiver
  private let member: GroupContents.Member
  var id: Int { member.id }
  var writer: ArchiveWriter { group.writer }

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
  ///   - install: sets the state that was read, and returns the substance's current state as a snapshot. It is called
  ///     on the calling thread, unless no state was read.
  /// - Complexity: O(*n*) in the number of bytes.
  /// - Returns: the reason why the part cannot be used; `nil` if it was read, or if there is none.
  func load<State>(as shape: ArchiveShape<State>, install: (State) -> PinnedState) -> ArchiveError? {
    let contents = group.contents
    let key = key
    // A call from within the work of the group, such as one from `encode(to:)` of a member, must not begin a save.
    let isInside = writer.isWorkingHere
    let writer = writer
    let (damage, result) = writer.slot.performAndWait {
      () -> (ArchiveFault.Kind?, GroupContents.Read<State>) in
      if !isInside {
        writer.registry.succeed(writer)
        // An earlier owner's last change may not have been encoded yet. If it cannot be, its next save says so.
        if let earlier = writer.decide({ $0.unsavedReleased(writer.place(key)) }) {
          contents.encode(earlier, key)
        }
      }
      do throws(ArchiveError) {
        return (try contents.open(), contents.read(key, as: shape))
      } catch {
        contents.refuse(key, because: error)
        return (nil, (.unreadable(error), .unreadable(error), false))
      }
    }
    if let damage { group.report(damage) }
    if let fault = result.fault { member.report(ArchiveFault(key: key, owner: member.owner, kind: fault)) }
    guard case .state(let state) = result.reading else {
      writer.decide { $0.wasRead(id) }
      return result.reading.error
    }
    let installed = install(state)
    writer.decide { $0.wasRead(id) }
    if result.isCurrent {
      contents.adopt(installed, of: id, key: key)
    } else if contents.content(of: key) == nil {
      // The state comes from a separate archive, so it is saved in the group soon, even if it does not change.
      stateChanged()
    }
    return nil
  }

  /// Moves the state of the member from its separate archive in the same backend to the group. The separate archive is
  /// removed once the group is saved.
  package func takeOver() {
    group.contents.noteTakenOver(key, .own)
    stateChanged()
  }

  func settleThrowing(_ save: ArchiveWriter.Saved) throws(ArchiveError) {
    guard case .failure(.partsRefused) = save.outcome else { return try writer.settleThrowing(save) }
    writer.reportOthers(save)
    guard let refusal = group.contents.refusal(of: key) else { return }
    writer.forgetReport()
    throw .refused(reason: "\(refusal)")
  }

  /// Reports the faults of a save, and throws if this part was not saved. Other unsaved parts cause no error.
  func settle(_ save: ArchiveWriter.Saved) throws(ArchiveError) {
    guard case .failure(.partsRefused) = save.outcome else { return try writer.settle(save) }
    writer.reportOthers(save)
    guard let refusal = group.contents.refusal(of: key) else { return }
    let error = ArchiveError.refused(reason: "\(refusal)")
    member.report(ArchiveFault(key: key, owner: member.owner, kind: .notSaved(error)))
    throw error
  }

  /// The substance is about to have a separate archive again.
  func keepSeparate() { group.contents.forgetTakenOver(key) }

  /// Removes the part and its quarantined copies from the group, and waits until that is durable. The member is saved
  /// again once it changes.
  ///
  /// - Throws: the reason why the part may still exist; it is also reported as a fault.
  package func purge() throws(ArchiveError) {
    guard ArchiveWork.current == nil else { return try settle((.failure(.reentrant(key: key)), [])) }
    try settle(group.removePart(key))
    ArchiveReader(backend: group.contents.backend, key: key).removeSetAside()
  }

  /// Leaves the group, and removes the member's part from the archive.
  ///
  /// - Throws: the reason why the part may still exist; it is also reported as a fault. The member then stays.
  package func leave() throws(ArchiveError) {
    let writer = writer
    guard ArchiveWork.current == nil else { return try settle((.failure(.reentrant(key: key)), [])) }
    let id = id
    // On the queue, so that no save of another caller removes the part after this one has failed.
    let (save, hasLeft) = writer.slot.performAndWait {
      writer.decide { $0.beginLeaving(id) }
      let save = writer.write(isAsked: true)
      let now = writer.scheduler.now
      let (hasLeft, alarm) = writer.decide { $0.endLeaving(id, at: now) }
      writer.setTimer(for: alarm)
      return (save, hasLeft)
    }
    do throws(ArchiveError) { try settle(save) } catch { if !hasLeft { throw error } }
    if !hasLeft { throw .refused(reason: "its part is still in the group") }
  }

  /// Removes the member from the group, and saves nothing.
  func discard() {
    _ = writer.release(id, isSavable: false)
    group.contents.drop([id])
  }

  /// Removes the member from the group, but not its part from the archive. Unsaved changes are still saved, soon.
  package func close() {
    if !writer.release(id, isSavable: member.part.cell.isSavable) { group.contents.drop([id]) }
  }
}
