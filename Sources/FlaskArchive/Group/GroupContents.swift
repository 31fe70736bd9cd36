internal import FlaskPrimitives
import Foundation

/// What a group has in its archive, and who of its members is to be asked for what is new.
///
/// Everything that encodes, reads or writes is called on the group's queue. The lock guards what it stands before, and
/// is never held meanwhile: a state's `encode(to:)` may bring a new member.
final class GroupContents: Sendable {
  /// Somebody who has a part.
  struct Member: Sendable {
    /// Never used again, as an address would be.
    var id = 0
    let part: any ArchivePart
    let owner: ArchiveOwner
    /// Whether its state counts: it has been read, or has changed. Until then the part stays as it is.
    var isActive = false
    /// Whether it has yet to be noted what it begins with. Until then it is not known what is new in its state.
    var isBeginning = false
    /// Counts the changes of all members: of two with one key the part that changed last is saved.
    var change = 0
    let report: @Sendable (ArchiveFault) -> Void
    /// Gone, but for what is unsaved.
    var isClosing = false
  }

  /// A part as it stands, or will stand, in the archive.
  struct Part: Sendable {
    /// `nil` if the archive has none: it has been removed, and has not changed since.
    var content: PartContent?
    /// Whose state that is, or, if there is none, whose state is not to be saved.
    var source: Source?
    /// Why it must stay as it is.
    var refusal: ArchiveError?
    /// What others may have done to it, if the group is shared.
    var sharing = PartSharing()

    /// Whether it is what its member has read: no other process has written another since.
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
    /// Counts the exchanges with the file: what was worked out by an earlier one must not come in any more.
    var exchange = 0
    /// Archives of their own that parts were taken over from, to be removed once the group is saved.
    var takenOver: Set<String> = []

    /// In the order in which they came.
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

  /// Adds a member, and says who else has the same key.
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

  /// Notes that a member's state has changed.
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

  /// What a member begins with is noted soon, on the group's queue. It is not saved before.
  func willBegin(_ id: Int) {
    inside.withLock { $0.members[id]?.isBeginning = true }
  }

  /// A member goes. It stays until the next save if that has something of it to save.
  func close(_ id: Int, isPending: Bool) {
    let released: [Any] = inside.withLock { inside in
      inside.members[id]?.isClosing = true
      return isPending ? [] : Self.remove(id, from: &inside)
    }
    // With no lock held: states and parts are released with it.
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

  /// Whose parts stay as they are although there are states to save, as an error.
  var refused: ArchiveError? {
    inside.withLock { inside in
      let keys = inside.inOrder.filter(\.isActive).map(\.part.key).filter { inside.parts[$0]?.refusal != nil }
      guard let reason = keys.first.flatMap({ inside.parts[$0]?.refusal }) else { return nil }
      return .partsRefused(keys: keys.sorted(), reason: "\(reason)")
    }
  }

  /// Whether another process has written a part since its member has read it.
  func isOvertaken(_ key: String) -> Bool { inside.withLock { $0.parts[key].map { !$0.isAsRead } ?? false } }

  /// The fluxes of the members, one for each member.
  var fluxes: [Flux] { inside.withLock { $0.members.values.map(\.part.cell.flux) } }

  func content(of key: String) -> PartContent? { inside.withLock { $0.parts[key]?.content } }

  /// The keys of all parts.
  var keys: [String] { inside.withLock { $0.parts.filter { $0.value.content != nil }.map(\.key) } }

  /// Puts bytes in the place of a part that has no member.
  func replace(_ key: String, by bytes: Data) {
    var part = Part(content: PartContent(bytes))
    part.sharing.isPut = true
    inside.withLockReleasing { $0.parts.updateValue(part, forKey: key) }
  }

  // MARK: Reading, on the group's queue

  /// Reads the archive if that has not been done.
  ///
  /// - Returns: what is the matter with the group as a whole.
  /// - Throws: why it cannot be read now. Nothing may be written then.
  func open() throws(ArchiveError) -> ArchiveFault.Kind? {
    if inside.withLock({ $0.isOpen }) { return nil }
    let (file, damage) = try store.read()
    store.know(file)
    inside.withLock { inside in
      inside.isOpen = true
      for (key, content) in file?.parts ?? [:] {
        // Asked for while nothing could be read: it stays as it is in the archive.
        if inside.parts[key].map({ $0.refusal != nil }) ?? true {
          inside.parts[key, default: Part()].content = content
        }
      }
    }
    return damage
  }

  /// The outcome of reading a part, what went wrong, and whether the state is just what the group has.
  typealias Read<State: Sendable> =
    (reading: ArchiveReading<State>, fault: ArchiveFault.Kind?, isCurrent: Bool)

  /// Reads the part of a member; if the group has none, the archive that the member had for itself.
  ///
  func read<State>(
    _ key: String,
    as shape: ArchiveShape<State>,
    isShared: Bool
  ) -> Read<State> {
    let reader = ArchiveReader(backend: backend, key: key)
    guard let content = content(of: key) else {
      let (reading, _, found) = reader.read(as: shape)
      if case .state = reading { noteTakenOver(key) }
      let finished = finish(reading, of: key, content: nil, isCurrent: false)
      let damage = found.map { ArchiveFault.Kind.journalDamaged($0.error, setAside: $0.setAside) }
      return (finished.reading, finished.fault ?? damage, finished.isCurrent)
    }
    // Left behind when the process ended between taking it over and removing it.
    if (try? backend.load(key)) != nil { noteTakenOver(key) }
    do throws(ArchiveError) {
      let (archive, damage) = try content.mended()
      let (state, isCurrent) = try shape.decode(archive, for: key)
      let (reading, _, _) = finish(.state(state), of: key, content: content, isCurrent: isCurrent)
      return (reading, damage.map { .journalDamaged($0, setAside: nil) }, isCurrent && damage == nil)
    } catch {
      // It stays that of the process that has written it.
      if isShared, case .newerVersion = error {
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
    isCurrent: Bool
  ) -> Read<State> {
    var fault: ArchiveFault.Kind?
    inside.withLockReleasing { inside in
      var part = inside.parts[key] ?? Part()
      let replaced = part
      part.refusal = nil
      part.source = nil
      part.sharing.begin(with: nil, file: content)
      switch reading {
      case .absent, .state: break
      case .unreadable(let error):
        part.refusal = error
        fault = .unreadable(error)
      case .corrupt(let error, let copy):
        if copy == nil { part.refusal = error } else { part.content = nil }
        fault = .corrupt(error, setAside: copy)
      }
      inside.parts[key] = part
      return replaced
    }
    return (reading, fault, isCurrent)
  }

  /// A part could not be read: whatever the archive has of it stays there.
  func refuse(_ key: String, because error: ArchiveError) {
    inside.withLock { $0.parts[key, default: Part()].refusal = error }
  }

  /// The archive that a part had for itself is to be removed once the group is saved.
  func noteTakenOver(_ key: String) { inside.withLock { _ = $0.takenOver.insert(key) } }

  /// The state of a member is just what was read: it is not encoded before it changes.
  func adopt(_ state: PinnedState, of id: Int, key: String) {
    inside.withLockReleasing { inside in
      let replaced = inside.parts[key]?.source
      if inside.parts[key]?.isAsRead == true, inside.members[id] != nil {
        inside.parts[key]?.source = Source(member: id, state: state)
      }
      return replaced
    }
  }

  /// The state that a member begins with, from which its changes are told.
  func begin(_ id: Int, with state: PinnedState, of part: any ArchivePart) {
    defer { inside.withLock { $0.members[id]?.isBeginning = false } }
    let key = part.key
    // What cannot be encoded is reported by the first save.
    guard let base = try? part.content(of: state, after: nil) else { return }
    let read = inside.withLock { $0.parts[key]?.sharing.file }
    var isKnown = false
    if let read {
      // Without entities it is whole as it is.
      guard let whole = base.contents.isEmpty ? base.archive : try? part.encode(state) else { return }
      isKnown = (try? read.whole()) == whole
    }
    inside.withLockReleasing { inside in
      let old = inside.parts[key]
      // What was read, which another process may have written over since.
      inside.parts[key, default: Part()].sharing.begin(with: base, file: isKnown ? base : read)
      if isKnown, let old, old.isAsRead { inside.parts[key]?.content = base }
      return old
    }
    if isKnown, var file = store.file, file.parts[key] == read {
      file.parts[key] = base
      store.know(file)
    }
  }
}
