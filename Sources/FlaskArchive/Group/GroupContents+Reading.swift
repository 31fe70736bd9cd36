internal import FlaskPrimitives
import Foundation

// Reading, on the group's queue.
extension GroupContents {
  /// Reads the archive if that has not been done.
  ///
  /// - Returns: the damage of the group as a whole.
  /// - Throws: why it cannot be read now. Nothing may be written then.
  func open() throws(ArchiveError) -> ArchiveFault.Kind? {
    if inside.withLock({ $0.isOpen }) { return nil }
    let refused = refused
    let (file, damage) = try store.read()
    store.know(file)
    inside.withLock { inside in
      inside.isOpen = true
      for (key, content) in file?.parts ?? [:] {
        // A part that is already known is not replaced by the part in the file. The exception is a part that a member
        // requested while the archive could not be read. It gets its content from the file, and saves leave it
        // unchanged.
        if inside.parts[key] == nil || refused.contains(key) {
          inside.parts[key, default: Part()].content = content
          inside.parts[key]?.saved = content
        }
      }
    }
    return damage
  }

  /// The result of reading a part: the state or the failure; the fault to report; and whether a save of the state would
  /// write the same part.
  typealias Read<State: Sendable> =
    (reading: ArchiveReading<State>, fault: ArchiveFault.Kind?, isCurrent: Bool)

  /// Reads the part of a member. If the group has no such part, the separate archive of the member in the same backend
  /// is read.
  func read<State>(_ key: String, as shape: ArchiveShape<State>) -> Read<State> {
    let reader = ArchiveReader(backend: backend, key: key)
    guard let content = content(of: key) else {
      // Its unsaved changes, also those of other owners, are saved first. It is read on its own queue, after a save in
      // progress.
      let slot = ArchiveSlot.of(key, in: backend.location)
      let (bytes, (reading, _, damage)) = slot.performAndWait {
        Archivers.shared.succeed(in: slot)
        return ((try? reader.loaded()).map { $0.archive + $0.journal }, reader.read(as: shape))
      }
      if case .state = reading, let bytes { noteTakenOver(key, .read(bytes)) }
      let finished = finish(reading, of: key, content: nil, isCurrent: false)
      return (finished.reading, finished.fault ?? damage, finished.isCurrent)
    }
    // The group has this part, so a separate archive under its key is a leftover, to be removed. A process took it over
    // into the group, and ended before the removal.
    if let left = try? reader.loaded() { noteTakenOver(key, .read(left.archive + left.journal)) }
    do throws(ArchiveError) {
      let (archive, damage) = try content.mended()
      let (version, payload) = try shape.unwrap(archive, for: key)
      let (state, isCurrent, repair) = try shape.decode(payload, version)
      let isKnown = isCurrent && damage == nil
      let (reading, _, _) = finish(
        .state(state),
        of: key,
        content: content,
        isCurrent: isCurrent,
        known: isKnown ? shape.content(ofRead: state, repair, for: key) : nil
      )
      return (reading, damage.map { .journalDamaged($0, setAside: nil) }, isCurrent && damage == nil)
    } catch {
      if error.isTemporary {
        return finish(.unreadable(error), of: key, content: content, isCurrent: false)
      }
      return finish(
        .corrupt(
          error,
          setAside: reader.setAside((try? content.whole()) ?? content.archive, isRemoving: false)
        ),
        of: key,
        content: nil,
        isCurrent: false
      )
    }
  }

  private func finish<State>(
    _ reading: ArchiveReading<State>,
    of key: String,
    content: PartContent?,
    isCurrent: Bool,
    known: PartContent? = nil
  ) -> Read<State> {
    let (fault, refusal) = reading.consequences
    // The content in memory is ahead of the file if a released owner's state was encoded, and not saved yet.
    let isAhead = content != nil && content != store.file?.parts[key]
    inside.withLockReleasing { inside in
      var part = inside.parts[key] ?? Part()
      let replaced = part
      part.source = nil
      if !isAhead {
        // The next save of the member is then a record of its changes.
        if let known { part.content = known }
        part.read = known ?? content
      }
      // Its quarantined bytes are not the part any more.
      if fault != nil, refusal == nil {
        part.content = nil
        part.saved = nil
      }
      inside.parts[key] = part
      return replaced
    }
    setRefusal(of: key, refusal)
    if let known, !isAhead, var file = store.file {
      file.parts[key] = known
      store.know(file)
    }
    return (reading, fault, isCurrent)
  }

  /// Notes that a part could not be read. Saves leave the part in the archive as it is.
  func refuse(_ key: String, because error: ArchiveError) {
    inside.withLock { inside in
      if inside.parts[key] == nil { inside.parts[key] = Part() }
    }
    setRefusal(of: key, error)
  }

  /// Notes the separate archives that earlier processes have left behind: each ended after a group had taken the
  /// archive over, before its removal. They would be read in place of the parts once the group has been purged.
  func noteLeftovers() {
    do throws(ArchiveError) { _ = try open() } catch { return }
    let parts = inside.withLock { inside in
      inside.parts.filter { $0.value.content != nil && inside.takenOver[$0.key] == nil }.map(\.key)
    }
    for key in parts {
      let left = try? ArchiveReader(backend: backend, key: key).loaded()
      if let left { noteTakenOver(key, .read(left.archive + left.journal)) }
    }
  }

  /// Notes that the separate archive, from which the part was taken over, must be removed once the group is saved.
  func noteTakenOver(_ key: String, _ origin: Origin) {
    inside.withLockReleasing { $0.takenOver.updateValue(origin, forKey: key) }
  }

  /// Notes that a separate archive belongs to its owner again.
  func forgetTakenOver(_ key: String) {
    inside.withLockReleasing { $0.takenOver.removeValue(forKey: key) }
  }

  /// Records that the state of a member equals the part that was read. So the state is not encoded before it changes.
  func adopt(_ state: PinnedState, of id: Int, key: String) {
    inside.withLockReleasing { inside in
      let replaced = inside.parts[key]?.source
      if inside.parts[key]?.isAsRead == true, inside.members[id] != nil {
        inside.parts[key]?.source = Source(member: id, state: state)
      }
      return replaced
    }
  }
}
