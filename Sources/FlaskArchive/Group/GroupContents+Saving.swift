internal import FlaskPrimitives
import Foundation

// Saving, on the group's queue.
extension GroupContents {
  /// Saves a consistent snapshot of the members of a plan. Only changed members are encoded. If one state cannot be
  /// encoded, no other state is saved either: the disk must never have only a part of an operation's changes.
  func save(_ plan: ArchiveLedger.Plan) -> ArchiveLedger.Outcome {
    do throws(ArchiveError) {
      if let damage = try open() { ArchiveWriter.reportLater { [report] in report(damage) } }
    } catch {
      return ArchiveLedger.Outcome(error: error.isTemporary ? error : .refused(reason: "\(error)"))
    }
    // The member whose state cannot be encoded, if that is the reason for a failure.
    var failing: Int?
    do throws(ArchiveError) {
      let written = try encode(plan.states.map(\.member), failing: &failing)
      // A member may have been mixed since the save began, whose archive is still being read.
      if let key = slot.decide({ $0.blocker(of: plan.writer) }) { return ArchiveWriter.blocked(by: key) }
      let parts = inside.withLock { $0.parts.compactMapValues(\.content) }.filter {
        plan.removals[$0.key] == nil
      }
      try store.write(parts) { key, part throws(ArchiveError) in
        do throws(ArchiveError) { return try whole(key, part) } catch {
          failing = inside.withLock { $0.parts[key]?.source?.member }
          if !error.isTemporary { takeBack(key) }
          throw error
        }
      }
      finish(plan)
      return ArchiveLedger.Outcome(written: written)
    } catch {
      return ArchiveLedger.Outcome(error: error, unencodable: error.isTemporary ? nil : failing)
    }
  }

  /// Encodes the unsaved state of an earlier, released owner, so that its successor reads this state. If the state
  /// cannot be encoded, the successor reads the state that was saved last.
  func encode(_ earlier: Int, _ key: String) {
    var failing: Int?
    guard (try? encode([earlier], failing: &failing)) != nil, let content = content(of: key) else { return }
    if (try? whole(key, content)) == nil { takeBack(key) }
  }

  /// Replaces the content of a part by the content that was saved last, since the new content cannot be encoded as a
  /// whole archive.
  private func takeBack(_ key: String) {
    inside.withLockReleasing { inside in
      let part = inside.parts[key]
      inside.parts[key]?.content = part?.saved
      inside.parts[key]?.source = nil
      return part
    }
  }

  /// Returns the whole archive of a part. If the entities of the part are kept separately, and the member's state is
  /// known, this state is encoded.
  private func whole(_ key: String, _ content: PartContent) throws(ArchiveError) -> Data {
    let (part, members) = inside.withLock { ($0.parts[key], $0.members) }
    guard !content.contents.isEmpty, let source = part?.source, part?.content == content,
      let member = members[source.member]
    else { return try content.whole() }
    do throws(ArchiveError) { return try member.part.encode(source.state) } catch {
      throw Self.notEncodable(member, error)
    }
  }

  private static func notEncodable(_ member: Member, _ error: ArchiveError) -> ArchiveError {
    error.isTemporary
      ? error : .notEncodable(reason: "the part \"\(member.part.key)\" of \(member.owner.name): \(error)")
  }

  /// Encodes the parts of members whose state has changed since their last encoding.
  ///
  /// - Parameter failing: the member whose state cannot be encoded, if this throws.
  /// - Returns: the members that may be saved now. Their states are a consistent snapshot.
  private func encode(_ ids: [Int], failing: inout Int?) throws(ArchiveError) -> Set<Int> {
    let members = inside.withLock { inside in ids.compactMap { inside.members[$0] } }
    let states = snapshot(members.map(\.part))
    var fresh: [(key: String, content: PartContent, source: Source)] = []
    for (member, state) in zip(members, states) {
      guard let state, isNew(state, of: member) else { continue }
      do throws(ArchiveError) {
        let content = try member.part.content(of: state, after: content(of: member.part.key))
        fresh.append((member.part.key, content, Source(member: member.id, state: state)))
      } catch {
        failing = member.id
        throw Self.notEncodable(member, error)
      }
    }
    inside.withLockReleasing { inside in
      var replaced: [Any] = []
      for (key, content, source) in fresh {
        var part = inside.parts[key] ?? Part()
        replaced.append(part)
        part.content = content
        part.source = inside.members[source.member] == nil ? nil : source
        inside.parts[key] = part
      }
      return replaced
    }
    return Set(zip(members, states).compactMap { member, state in state.map { _ in member.id } })
  }

  private func isNew(_ state: PinnedState, of member: Member) -> Bool {
    let source = inside.withLock { $0.parts[member.part.key]?.source }
    return source?.member != member.id || source?.state.box !== state.box
  }

  /// Finishes a save after the group has become durable: forgets the parts that were removed, and removes the separate
  /// archives that were taken over.
  private func finish(_ plan: ArchiveLedger.Plan) {
    let (takenOver, released) = inside.withLock { inside in
      let released = plan.removals.keys.map { inside.parts.updateValue(Part(), forKey: $0) }
      for key in plan.states.map(\.key) {
        let content = inside.parts[key]?.content
        inside.parts[key]?.saved = content
      }
      let parts = inside.parts
      return (
        inside.takenOver.filter { parts[$0.key]?.content != nil || plan.removals[$0.key] != nil }, released
      )
    }
    withExtendedLifetime(released) {}
    // If a part is removed, its separate archive is removed before this function returns. Otherwise a later run would
    // find the removed state there.
    for (key, origin) in takenOver { removeAlone(key, origin, isWaiting: plan.removals[key] != nil) }
  }

  /// Removes the separate archive that a member had before it joined the group, after any pending save of that archive.
  /// It is tried again after the next save if that archive has an owner now, or cannot be removed.
  private func removeAlone(_ key: String, _ origin: Origin, isWaiting: Bool = false) {
    let slot = ArchiveSlot.of(key, in: backend.location)
    let reader = ArchiveReader(backend: backend, key: key)
    let remove: @Sendable () -> Void = { [self] in
      // The note may be gone since this was enqueued.
      guard inside.withLock({ $0.takenOver[key] }) == origin, slot.decide({ $0.members.isEmpty }) else {
        return
      }
      do {
        // An archive that was not read is not removed: it may be newer than the part.
        let isKnown =
          if case .read(let bytes) = origin {
            try reader.loaded().map { $0.archive + $0.journal == bytes } ?? false
          } else { true }
        if isKnown { try backend.remove(key) }
      } catch {
        return
      }
      inside.withLockReleasing { inside in
        inside.takenOver[key] == origin ? inside.takenOver.removeValue(forKey: key) : nil
      }
    }
    if isWaiting { slot.performAndWait(remove) } else { slot.perform(remove) }
  }

  /// The archive was removed: forgets all parts.
  func forgetAll() {
    let keys = inside.withLock { inside in inside.parts.keys + inside.members.values.map(\.part.key) }
    for key in Set(keys) { ArchiveReader(backend: backend, key: key).removeSetAside() }
    let (alone, replaced) = inside.withLock { inside in
      defer { inside.parts = [:] }
      inside.isOpen = true
      return (inside.takenOver, inside.parts)
    }
    withExtendedLifetime(replaced) {}
    for (key, origin) in alone { removeAlone(key, origin, isWaiting: true) }
  }
}
