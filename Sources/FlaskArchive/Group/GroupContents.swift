internal import FlaskPrimitives
import Foundation

/// The parts of a group's archive, and the members whose states are saved in these parts.
///
/// Everything that encodes, reads or writes is called on the group's queue. The lock guards `Inside`. It is never held
/// during such calls, since a state's `encode(to:)` may add a member.
final class GroupContents: Sendable {
  /// A member that has a part.
  struct Member: Sendable {
    /// The unique number of the member. Unlike a memory address, it is never reused.
    var id = 0
    let part: any ArchivePart
    let owner: ArchiveOwner
    /// True once the part was read, or the state has changed. Until then the member is not saved, and the part in the
    /// archive stays as it is.
    var isActive = false
    /// The group's change count at the last change of this member. If two members have one key, the member that changed
    /// last is saved.
    var change = 0
    let report: @Sendable (ArchiveFault) -> Void
    /// Removed, with unsaved changes left.
    var isClosing = false
  }

  /// A part as the archive has it, or as the next save will write it.
  struct Part: Sendable {
    /// The content of the part; `nil` if the archive does not have the part, for example after its removal.
    var content: PartContent?
    /// The member and the state that `content` encodes, so that an unchanged state is not encoded again. After a
    /// removal of the part it is the state that is not saved until it changes. It is `nil` if unknown.
    var source: Source?
    /// Why the part in the archive must stay as it is; `nil` if it may be written.
    var refusal: ArchiveError?
    /// The exchange of the part with other processes, if the group is shared.
    var sharing = PartSharing()

    /// True if the content equals the part that its member has read: no other process has written the part since.
    var isAsRead: Bool { content == sharing.file }
  }

  struct Source: Sendable {
    let member: Int
    let state: PinnedState
  }

  struct Inside {
    var members: [Int: Member] = [:]
    /// Which members have a key.
    var sharers: [String: Set<Int>] = [:]
    var parts: [String: Part] = [:]
    var count = 0
    var change = 0
    /// Whether the archive has been read.
    var isOpen = false
    /// Counts the exchanges with the file. The results of an earlier exchange must not be installed after a later one.
    var exchange = 0
    /// Separate archives from which parts were taken over. They are removed once the group is saved.
    var takenOver: Set<String> = []
    /// The closures that record for each member that was read its base: the state from which its later changes are
    /// computed. They are called before a member is saved.
    var beginnings: [@Sendable () -> Void] = []
    /// The members that were being removed at the time of the snapshot that is being saved.
    var leaving: Set<Int> = []

    /// The members in the order in which they joined.
    var inOrder: [Member] { members.values.sorted { $0.id < $1.id } }
  }

  let store: ArchiveStore
  var key: String { store.key }
  var backend: any ArchiveBackend { store.backend }
  let slot: ArchiveSlot
  let report: @Sendable (ArchiveFault.Kind) -> Void
  let snapshot: ArchivePartSnapshot
  let inside = Lock(Inside())

  init(
    _ store: ArchiveStore,
    report: @escaping @Sendable (ArchiveFault.Kind) -> Void,
    snapshot: @escaping ArchivePartSnapshot
  ) {
    self.store = store
    slot = ArchiveSlot.of(store.key, in: store.backend.location)
    self.report = report
    self.snapshot = snapshot
  }

  // MARK: Members, from any thread

  /// Adds a member, and returns the other members with its key.
  func add(_ member: Member) -> (member: Member, others: [ArchiveOwner]) {
    inside.withLock { inside in
      inside.count += 1
      var member = member
      member.id = inside.count
      inside.members[member.id] = member
      let others = inside.sharers[member.part.key, default: []].sorted().compactMap { inside.members[$0] }
      inside.sharers[member.part.key, default: []].insert(member.id)
      return (member, others.filter { !$0.isClosing && $0.owner.isOther(than: member.owner) }.map(\.owner))
    }
  }

  /// Records that a member's state has changed.
  func noteChange(of id: Int) {
    inside.withLock { inside in
      inside.change += 1
      inside.members[id]?.change = inside.change
      inside.members[id]?.isActive = true
    }
  }

  /// A member's state counts from now on.
  func takePart(_ id: Int) {
    inside.withLock { $0.members[id]?.isActive = true }
  }

  /// Stores a closure that records the last state of a member that other processes know. The next exchange with other
  /// processes calls the closure first.
  func willBegin(_ begin: @escaping @Sendable () -> Void) { inside.withLock { $0.beginnings.append(begin) } }

  /// Records the bases of members that were read: the states from which their later changes are computed. Call it on
  /// the group's queue.
  func noteBeginnings() {
    var beginnings: [@Sendable () -> Void] = []
    inside.withLock { swap(&$0.beginnings, &beginnings) }
    for begin in beginnings { begin() }
  }

  /// Removes a member. If the member has unsaved changes, it is kept until the next save.
  func close(_ id: Int, isPending: Bool) {
    let released: [Any] = inside.withLock { inside in
      inside.members[id]?.isClosing = true
      return isPending ? [] : Self.remove(id, from: &inside)
    }
    // The removed member is released here, while no lock is held, since its state and its part are released with it.
    withExtendedLifetime(released) {}
  }

  static func remove(_ id: Int, from inside: inout Inside) -> [Any] {
    guard let member = inside.members.removeValue(forKey: id) else { return [] }
    let others = inside.sharers[member.part.key]?.subtracting([id])
    inside.sharers[member.part.key] = others?.isEmpty == false ? others : nil
    guard inside.parts[member.part.key]?.source?.member == member.id else { return [member] }
    let source = inside.parts[member.part.key]?.source
    inside.parts[member.part.key]?.source = nil
    return [member, source as Any]
  }

  func refusal(of key: String) -> ArchiveError? { inside.withLock { $0.parts[key]?.refusal } }

  /// An error that lists the members whose parts stay unchanged although there are states to save.
  var refused: ArchiveError? {
    inside.withLock { inside in
      let keys = inside.inOrder.filter(\.isActive).map(\.part.key).filter { inside.parts[$0]?.refusal != nil }
      guard let reason = keys.first.flatMap({ inside.parts[$0]?.refusal }) else { return nil }
      return .partsRefused(keys: keys.sorted(), reason: "\(reason)")
    }
  }

  /// Whether another process has written the part since its member read it.
  func isOvertaken(_ key: String) -> Bool { inside.withLock { $0.parts[key].map { !$0.isAsRead } ?? false } }

  /// The fluxes of the members: one entry for each member.
  var fluxes: [Flux] { inside.withLock { $0.members.values.map(\.part.cell.flux) } }

  func content(of key: String) -> PartContent? { inside.withLock { $0.parts[key]?.content } }

  /// The keys of all parts.
  var keys: [String] { inside.withLock { $0.parts.filter { $0.value.content != nil }.map(\.key) } }

  /// Replaces the bytes of a part that has no member.
  func replace(_ key: String, by bytes: Data) {
    var part = Part(content: PartContent(bytes))
    part.sharing.isPut = true
    inside.withLockReleasing { $0.parts.updateValue(part, forKey: key) }
  }
}
