/// The members whose states one archive keeps, and their changes. This type decides all that can happen to them, and
/// performs nothing.
///
/// A group has one part for each key of its members; a separate archive is a group with one part. One key may have
/// several members: an earlier owner whose last change is still being saved, and its successor. The changes of all
/// members are numbered in their order, so "unsaved" is no flag: the last change of a member has a greater number than
/// the part that is in the archive. Of several members with one key, the one that changed last is saved.
struct ArchiveLedger: Sendable {
  /// The number of an object that saves some of the members: an archiver, or a group. No number is used twice.
  typealias Writer = Int

  /// The position of a change in the order of all changes of this archive. 0: none.
  typealias Number = Int

  enum Phase: Equatable, Sendable {
    /// The part was not read, or was purged, and the state has not changed since. The member is not saved.
    case idle
    /// The archive is being read while the substance is in use already. Once the state was mixed, nothing of its writer
    /// is saved before the archived state has arrived: an operation over several members is saved whole or not at all.
    case opening(isMixed: Bool)
    /// The state is saved.
    case active
    /// The next save removes the part. If that fails, the member stays.
    case leaving
    /// Archiving ended, such as by the owner's release. The member stays until its change is saved or given up.
    case released
  }

  struct Member: Sendable {
    let key: String
    let owner: ArchiveOwner
    let writer: Writer
    /// The position at which the member was added, in the order of all changes.
    let joined: Number
    /// The position of the last change of its state; 0 if it has not changed.
    var change: Number = 0
    var phase = Phase.idle
    /// The rank of its state that was written last.
    var written: Number = 0

    /// How late its state is: the number of its last change, or else of its joining.
    var rank: Number { max(joined, change) }

    /// Whether its state is later than that of another member with its key.
    func isLater(than other: Member) -> Bool {
      change == other.change ? joined > other.joined : change > other.change
    }
    var place: Place { Place(key: key, writer: writer) }
  }

  /// A part, as one writer knows it.
  struct Place: Hashable, Sendable {
    let key: String
    let writer: Writer
  }

  struct Part: Sendable {
    /// The greatest rank of the states that the writer has written to the archive.
    var saved: Number = 0
    /// The position in the order of all changes at which a save last wrote a state. A member that joined before this
    /// position may have read an older state.
    var savedAt: Number = 0
    /// Changes up to this number were purged.
    var purged: Number = 0
    /// The next save removes the part, unless a member has changed after this number.
    var removal: Number?
    /// Why the part must stay in the archive as it is; `nil` if it may be written.
    var refusal: ArchiveError?
  }

  struct WriterStatus: Sendable {
    let owner: ArchiveOwner
    let isGroup: Bool
    var schedule: ArchiveSchedule
    /// The failure that was reported last, until a save succeeds.
    var reported: ArchiveError?
    /// Whether the content of the archive is not known, so that it must be written although nothing has changed.
    var isContentUnknown = false
    /// Whether its owner was released.
    var isClosed = false
  }

  private(set) var count: Number = 0
  var members: [Int: Member] = [:]
  var parts: [Place: Part] = [:]
  var writers: [Writer: WriterStatus] = [:]
  private var lastID = 0

  private mutating func next() -> Number {
    count += 1
    return count
  }

  // MARK: Writers

  /// Adds a writer.
  ///
  /// - Returns: its number, and the owners of the other writers of this archive.
  mutating func addWriter(
    owner: ArchiveOwner,
    isGroup: Bool,
    schedule: ArchiveSchedule
  ) -> (id: Writer, others: [ArchiveOwner]) {
    lastID += 1
    let others = writers.sorted { $0.key < $1.key }.map(\.value).filter {
      !$0.isClosed && $0.owner.isOther(than: owner)
    }
    writers[lastID] = WriterStatus(owner: owner, isGroup: isGroup, schedule: schedule)
    return (lastID, others.map(\.owner))
  }

  /// The owner of a writer was released. The writer is needed as long as it has members.
  mutating func close(_ writer: Writer) { writers[writer]?.isClosed = true }

  /// Removes a writer if nothing is left for it to do.
  ///
  /// - Returns: whether it was removed.
  mutating func end(_ writer: Writer) -> Bool {
    guard writers[writer]?.isClosed == true, !members.values.contains(where: { $0.writer == writer }) else {
      return false
    }
    writers[writer] = nil
    // The rank of what an owner has written is kept: a late save of an earlier owner must not overwrite it.
    for place in parts.keys where place.writer == writer {
      parts[place] = Part(saved: parts[place]?.saved ?? 0)
    }
    return true
  }

  // MARK: Members

  /// Adds a member.
  ///
  /// - Returns: its number, and the owners of the other members with its key that its writer saves.
  mutating func join(_ key: String, owner: ArchiveOwner, of writer: Writer) -> (
    id: Int, others: [ArchiveOwner]
  ) {
    let others = members.sorted { $0.key < $1.key }.map(\.value).filter {
      $0.key == key && $0.writer == writer && $0.phase != .released && $0.owner.isOther(than: owner)
    }
    lastID += 1
    members[lastID] = Member(key: key, owner: owner, writer: writer, joined: next())
    return (lastID, others.map(\.owner))
  }

  /// The state of a member has changed.
  ///
  /// - Returns: the time to set a timer for; `nil` if none is needed.
  mutating func changed(_ id: Int, at now: Duration) -> Duration? {
    guard let index = members.index(forKey: id), members.values[index].phase != .released else { return nil }
    let number = next()
    members.values[index].change = number
    if members.values[index].phase == .idle { members.values[index].phase = .active }
    return writers[members.values[index].writer]?.schedule.changed(at: now)
  }

  /// The part of a member was read: the state counts from now on.
  mutating func wasRead(_ id: Int) {
    if members[id]?.phase == .idle { members[id]?.phase = .active }
  }

  /// Called when a client requests a save of a member, such as by `archiveNow()`. A state that has not changed counts
  /// as changed now. So it is later than the states of other members with the same key, and is the one that is saved.
  mutating func ask(_ id: Int) {
    guard let member = members[id], member.phase == .idle || (member.phase == .active && member.change == 0)
    else {
      return
    }
    let number = next()
    members[id]?.phase = .active
    members[id]?.change = number
  }

  /// The archive of a member is being read from now on.
  mutating func beginOpening(_ id: Int) { members[id]?.phase = .opening(isMixed: false) }

  /// A member was mixed while its archive is being read.
  mutating func mixedWhileOpening(_ id: Int) {
    if case .opening? = members[id]?.phase { members[id]?.phase = .opening(isMixed: true) }
  }

  /// The archived state of a member has arrived, or there is none.
  ///
  /// - Returns: the time to set a timer for, if changes of other members have waited.
  mutating func endOpening(_ id: Int, at now: Duration) -> Duration? {
    guard let member = members[id], case .opening(let isMixed) = member.phase else { return nil }
    members[id]?.phase = .active
    return isMixed ? resume(member.writer, at: now) : nil
  }

  /// The owner of a member was released, or its archiving was switched off.
  ///
  /// - Parameter isSavable: whether its state may still be saved.
  /// - Returns: whether the member is kept, since it must be saved; and a time to set a timer for, if changes of other
  ///   members have waited for it.
  mutating func release(_ id: Int, isSavable: Bool, at now: Duration) -> (isKept: Bool, alarm: Duration?) {
    guard let member = members[id] else { return (false, nil) }
    let isOpening = if case .opening = member.phase { true } else { false }
    if isSavable, !isOpening, isUnsaved(member) {
      members[id]?.phase = .released
      return (true, nil)
    }
    members[id] = nil
    return (false, resume(member.writer, at: now))
  }

  /// Ends the released members of earlier owners, since a later owner reads the archive now. Their unsaved changes are
  /// lost: a save would overwrite the later owner's state with an older one.
  ///
  /// - Returns: the members that have ended, by writer.
  mutating func supersede(by writer: Writer) -> [Writer: [(id: Int, key: String)]] {
    var ended: [Writer: [(id: Int, key: String)]] = [:]
    for (id, member) in members where member.writer < writer && member.phase == .released {
      guard writers[member.writer]?.isClosed == true else { continue }
      members[id] = nil
      ended[member.writer, default: []].append((id, member.key))
    }
    return ended
  }

  /// Whether a writer has members whose owners were released.
  func hasReleased(_ writer: Writer) -> Bool {
    members.values.contains { $0.writer == writer && $0.phase == .released }
  }

  /// The released member of a part whose last change is not saved; `nil` if there is none.
  func unsavedReleased(_ place: Place) -> Int? {
    members.filter { $0.value.place == place && $0.value.phase == .released && isUnsaved($0.value) }
      .max { $1.value.isLater(than: $0.value) }?.key
  }

  /// The next save removes the part of a member, and the member.
  mutating func beginLeaving(_ id: Int) { members[id]?.phase = .leaving }

  /// The save that was to remove the part has ended.
  ///
  /// - Returns: whether the member has left. If not, it is as it was. The time to set a timer for.
  mutating func endLeaving(_ id: Int, at now: Duration) -> (hasLeft: Bool, alarm: Duration?) {
    guard let member = members[id] else { return (true, nil) }
    let phase = resting(member)
    if member.phase == .leaving { members[id]?.phase = phase }
    return (false, doubt(member.writer, at: now))
  }

  /// A save has failed that was to remove a part. The archive may have the part or not, so it is written again.
  mutating func doubt(_ writer: Writer, at now: Duration) -> Duration? {
    writers[writer]?.isContentUnknown = true
    return writers[writer]?.schedule.changed(at: now)
  }

  private mutating func resume(_ writer: Writer, at now: Duration) -> Duration? {
    // Changes that have waited for the member are saved by a timer that is set already, or by this one.
    guard isUnsaved(writer), writers[writer]?.schedule.isWaiting == false else { return nil }
    return writers[writer]?.schedule.changed(at: now)
  }

  private func resting(_ member: Member) -> Phase {
    let purged = parts[member.place]?.purged ?? 0
    return purged == 0 || member.change > purged ? .active : .idle
  }
}
