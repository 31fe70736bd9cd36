internal import FlaskPrimitives
import Foundation

// Saving, on the group's queue.
extension GroupContents {
  /// Saves a group that is not shared with other processes, with a consistent snapshot of all its members. Only changed
  /// members are encoded.
  ///
  /// - Throws: why the group cannot be saved. If one state cannot be encoded, no other state is saved either: the disk
  ///   must never have only a part of an operation's changes.
  func save() throws(ArchiveError) {
    do throws(ArchiveError) {
      if let damage = try open() { ArchiveWriter.reportLater { [report] in report(damage) } }
    } catch {
      throw .refused(reason: "\(error)")
    }
    _ = try encodeMembers()
    _ = try store.write(inside.withLock { $0.parts.compactMapValues(\.content) }, whole: whole)
  }

  /// Returns the whole archive of a part. If the entities of the part are kept separately, and the member's state is
  /// known, this state is encoded.
  func whole(_ key: String, _ content: PartContent) throws(ArchiveError) -> Data {
    let (part, members) = inside.withLock { ($0.parts[key], $0.members) }
    guard !content.contents.isEmpty, let source = part?.source, part?.content == content,
      let member = members[source.member]
    else { return try content.whole() }
    do throws(ArchiveError) { return try member.part.encode(source.state) } catch {
      throw Self.notEncodable(member, error)
    }
  }

  static func notEncodable(_ member: Member, _ error: ArchiveError) -> ArchiveError {
    .notEncodable(reason: "the part \"\(member.part.key)\" of \(member.owner.name): \(error)")
  }

  /// Encodes the parts of all members whose state has changed since their last encoding.
  ///
  /// - Returns: the members, and a consistent snapshot of their states.
  func encodeMembers() throws(ArchiveError) -> [(member: Member, state: PinnedState)] {
    // Nothing is saved while the archive of a member is still being read that was mixed already: each operation over
    // several members is saved whole or not at all.
    let unread = inside.withLock { $0.inOrder }.first { $0.part.cell.notices & Cell.Notice.mixedUnread != 0 }
    if let unread { throw .refused(reason: "\(unread.part.key) has been mixed, and is still being read") }
    // Members being removed are listed before the snapshot: a member removed after the snapshot may have unsaved
    // changes.
    inside.withLock { inside in
      inside.leaving = Set(inside.members.values.filter(\.isClosing).map(\.id))
    }
    let members = membersToSave
    let states = snapshot(members.map(\.part))
    var fresh: [(key: String, content: PartContent, source: Source)] = []
    for (member, state) in zip(members, states) {
      guard let state, isNew(state, of: member) else { continue }
      do throws(ArchiveError) {
        let content = try member.part.content(of: state, after: content(of: member.part.key))
        fresh.append((member.part.key, content, Source(member: member.id, state: state)))
      } catch {
        throw Self.notEncodable(member, error)
      }
    }
    inside.withLockReleasing { inside in
      var replaced: [Any] = []
      for (key, content, source) in fresh where inside.parts[key]?.refusal == nil {
        var part = inside.parts[key] ?? Part()
        replaced.append(part)
        part.content = content
        part.source = inside.members[source.member] == nil ? nil : source
        inside.parts[key] = part
      }
      return replaced
    }
    return zip(members, states).compactMap { member, state in state.map { (member, $0) } }
  }

  /// The members whose states are saved: for each key one member, the one that changed last.
  private var membersToSave: [Member] {
    inside.withLock { inside in
      var last: [String: Member] = [:]
      for member in inside.inOrder where member.isActive {
        let key = member.part.key
        if inside.parts[key]?.refusal != nil { continue }
        if let other = last[key], other.change >= member.change { continue }
        last[key] = member
      }
      return inside.inOrder.filter { last[$0.part.key]?.id == $0.id }
    }
  }

  private func isNew(_ state: PinnedState, of member: Member) -> Bool {
    let source = inside.withLock { $0.parts[member.part.key]?.source }
    return source?.member != member.id || source?.state.box !== state.box
  }

  /// Finishes a save after the group has become durable. Removed members that were retained for this save are released,
  /// and separate archives that were taken over are removed.
  ///
  /// - Returns: the error that names the parts which stay as they are although they have states to save; `nil` if there
  ///   are none.
  func didSave() -> ArchiveError? {
    let (members, leaving) = inside.withLock { ($0.members.values.filter(\.isClosing), $0.leaving) }
    let gone = members.filter {
      leaving.contains($0.id) || !isNew(PinnedState($0.part.cell.pinPresent()), of: $0)
    }
    let (released, takenOver) = inside.withLock { inside in
      let released = gone.flatMap { Self.remove($0.id, from: &inside) }
      let takenOver = inside.takenOver.filter { inside.parts[$0]?.content != nil }
      inside.takenOver.subtract(takenOver)
      return (released, takenOver)
    }
    withExtendedLifetime(released) {}
    for key in takenOver { removeAlone(key) }
    return refused
  }

  /// Removes the separate archive that a member had before it joined the group, after any pending save of that archive.
  private func removeAlone(_ key: String) {
    let slot = ArchiveSlot.of(key, in: backend.location)
    slot.perform { [backend] in
      guard slot.contents.withLock({ $0.owners.isEmpty }) else { return }
      // A failure is ignored: an old archive that is left behind is older than the part, and at the next start the part
      // wins.
      try? backend.remove(key)
    }
  }

  /// Removes a part, or all parts if no key is given. The present state of each member is saved only after its next
  /// change.
  func remove(_ key: String? = nil) {
    let members = inside.withLock { $0.inOrder }.filter { key == nil || $0.part.key == key }
    let states = snapshot(members.map(\.part))
    let isWhole = key == nil
    let keys = key.map { [$0] } ?? Set(inside.withLock { Array($0.parts.keys) } + members.map(\.part.key))
    if isWhole { keys.forEach { ArchiveReader(backend: backend, key: $0).removeSetAside() } }
    var alone: Set<String> = []
    inside.withLockReleasing { inside in
      var released: [Part] = []
      for key in keys {
        var removed = Part()
        // Only the removal of a single part has to be written to the file. If all parts are removed, the file is
        // removed too, and parts that another process writes later are accepted.
        removed.sharing.isRemoved = !isWhole
        if let part = inside.parts.updateValue(removed, forKey: key) { released.append(part) }
      }
      for (member, state) in zip(members, states) {
        guard let state else { continue }
        inside.parts[member.part.key]?.source = Source(member: member.id, state: state)
      }
      alone = inside.takenOver.intersection(keys)
      inside.takenOver.subtract(keys)
      if isWhole { inside.isOpen = true }
      return released
    }
    if isWhole { store.know(nil) }
    alone.forEach(removeAlone)
  }
}
