internal import FlaskPrimitives
import Foundation

/// The parts of a group's archive, and the members whose states are saved in these parts.
///
/// Everything that encodes, reads or writes is called on the group's queue. The lock guards `Inside`. It is never held
/// during such calls, since a state's `encode(to:)` may add a member.
final class GroupContents: Sendable {
  /// A member that has a part.
  struct Member: Sendable {
    /// The number of the member in the ledger.
    let id: Int
    let part: any ArchivePart
    let owner: ArchiveOwner
    let report: @Sendable (ArchiveFault) -> Void
  }

  /// A part as the archive has it, or as the next save will write it.
  struct Part: Sendable {
    /// The content of the part; `nil` if the archive does not have the part, for example after its removal.
    var content: PartContent?
    /// The content that was read or written last. `content` becomes this one again if it cannot be written.
    var saved: PartContent?
    /// The member and the state that `content` encodes, so that an unchanged state is not encoded again. It is `nil` if
    /// unknown.
    var source: Source?
    /// The content that a member has read last; `nil` if it has not read one.
    var read: PartContent?

    /// True if the content is the one that its member has read: no other state has been encoded since.
    var isAsRead: Bool { content != nil && content == read }
  }

  /// The content of a separate archive when the part was taken over from it.
  enum Origin: Equatable {
    /// Earlier states of the substance that is the member now.
    case own
    /// These bytes were read. Other bytes are not removed.
    case read(Data)
  }

  struct Source: Sendable {
    let member: Int
    let state: PinnedState
  }

  struct Inside {
    var members: [Int: Member] = [:]
    var parts: [String: Part] = [:]
    var writer: ArchiveLedger.Writer?
    /// Whether the archive has been read.
    var isOpen = false
    /// The separate archives from which parts were taken over, by key. They are removed once the group is saved.
    var takenOver: [String: Origin] = [:]
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

  /// Adds a member of the ledger.
  func add(_ member: Member) { inside.withLock { $0.members[member.id] = member } }

  /// Releases members that have ended.
  func drop(_ ids: [Int]) {
    inside.withLockReleasing { inside in ids.flatMap { Self.remove($0, from: &inside) } }
  }

  private static func remove(_ id: Int, from inside: inout Inside) -> [Any] {
    guard let member = inside.members.removeValue(forKey: id) else { return [] }
    guard let source = inside.parts[member.part.key]?.source, source.member == id else { return [member] }
    inside.parts[member.part.key]?.source = nil
    return [member, source]
  }

  /// The writer of the group. It is set once, before the group has a member.
  var writer: ArchiveLedger.Writer? { inside.withLock { $0.writer } }

  func begin(_ writer: ArchiveLedger.Writer) { inside.withLock { $0.writer = writer } }

  func place(_ key: String) -> ArchiveLedger.Place? {
    writer.map { ArchiveLedger.Place(key: key, writer: $0) }
  }

  /// Why the part in the archive must stay as it is; `nil` if it may be written.
  func refusal(of key: String) -> ArchiveError? {
    let place = place(key)
    return slot.decide { ledger in place.flatMap { ledger.parts[$0]?.refusal } }
  }

  /// Notes whether a part may be written: it may not if it could not be read.
  func setRefusal(of key: String, _ error: ArchiveError?) {
    guard let place = place(key) else { return }
    slot.decide { $0.setRefusal(of: place, error) }
  }

  /// The keys of the parts that may not be written.
  var refused: Set<String> {
    let writer = writer
    return slot.decide { ledger in
      Set(ledger.parts.filter { $0.key.writer == writer && $0.value.refusal != nil }.keys.map(\.key))
    }
  }

  /// The fluxes of the members: one entry for each member.
  var fluxes: [Flux] { inside.withLock { $0.members.values.map(\.part.cell.flux) } }

  func content(of key: String) -> PartContent? { inside.withLock { $0.parts[key]?.content } }

  /// The keys of all parts.
  var keys: [String] { inside.withLock { $0.parts.filter { $0.value.content != nil }.map(\.key) } }

  /// Replaces the bytes of a part that has no member.
  func replace(_ key: String, by bytes: Data) {
    let part = Part(content: PartContent(bytes))
    inside.withLockReleasing { $0.parts.updateValue(part, forKey: key) }
  }
}
