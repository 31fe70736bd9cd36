@_spi(FlaskInternals) internal import FlaskArchive
@_spi(FlaskInternals) internal import FlaskDiff
internal import Synchronization

/// A derived value, whatever its type: a closure, and what it returned last. Generic code is only what needs the type.
///
/// What the closure read is known by the versions of the states. So the value is good for as long as none of them has
/// another version or, where one has, none of the keys that were read has changed.
///
/// The substances that it depends on hold it until `close()`.
///
/// `@unchecked Sendable` since the class is not final: everything mutable is under a lock, and its one subclass is
/// constant.
class AnyDerivedNode: CommitFollower, @unchecked Sendable {
  private struct Cache {
    let box: StateBox
    var reads: [ReadLog.Read]
    let sources: [(node: AnyDerivedNode, version: Int)]
  }

  private struct State {
    var cache: Cache?
    /// How many values there were.
    var count = 0
    /// The substances that hold it.
    var followed: [Participant] = []
    var isClosed = false
    /// What observers and trackers are told by, once there are any.
    var substance: AnySubstance?
    /// The value before the operation in progress.
    var before: StateBox?
  }

  final let flux: Flux
  final let location: SourceLocation
  final let serial: Int
  private static let made = Atomic<Int>(0)
  private final let state = Lock(State())

  init(flux: Flux, location: SourceLocation) {
    self.flux = flux
    self.location = location
    serial = AnyDerivedNode.made.add(1, ordering: .relaxed).newValue
    if Inhabitants.areNoted {
      Inhabitants.add(self, .derived, in: flux, at: SourcePlace(location), type: derivedType)
    }
  }

  // MARK: Overridden by the one subclass

  func compute() -> StateBox { StateBox.none }
  var derivedType: Any.Type { Never.self }
  func areEqual(_ a: StateBox, _ b: StateBox) -> Bool { true }
  func makeSubstance(_ box: StateBox) -> AnySubstance? { nil }

  /// Nobody is interested any more.
  final func close() {
    if Inhabitants.areNoted { Inhabitants.remove(ObjectIdentifier(self)) }
    let old = state.withLock { state in
      let old = (state.followed, state.cache)
      state.isClosed = true
      state.followed = []
      state.cache = nil
      for participant in old.0 { Followers.remove(self, from: participant) }
      return old
    }
    withExtendedLifetime(old) {}
  }

  // MARK: Reading

  /// The value at the present moment.
  final func box() -> StateBox {
    if !Moment.areAny, let cache = state.withLock({ $0.cache }), isCurrent(cache) { return cache.box }
    return Moment.perform { box(at: $0) }
  }

  /// Whether all that was read is still committed, in the same version. Versions only grow, so all of them were there
  /// together when the first was looked at.
  private final func isCurrent(_ cache: Cache) -> Bool {
    cache.sources.isEmpty && cache.reads.allSatisfy { $0.cell.committedVersion == $0.version }
  }

  /// The value at a moment, which is the present one.
  ///
  /// Once in a moment it is found out whether the last value is good: of values that are derived from each other, each
  /// would else ask those below it, and these again.
  private final func box(at moment: Moment) -> StateBox {
    if let known = moment.known(of: self) { return known }
    let cache = state.withLock { $0.cache }
    guard moment.begin(self) else { return cycle(cache?.box) }
    defer { moment.end() }
    if let cache, isGood(cache, at: moment) {
      if !cache.sources.isEmpty {
        moment.remember(cache.box, of: self)
        follow()
      }
      return cache.box
    }
    let log = ReadLog()
    let box = moment.logging(in: log) { compute() }
    adopt(box, log, at: moment, after: cache)
    if !log.sources.isEmpty { moment.remember(box, of: self) }
    return box
  }

  /// Whether the value is that of a moment.
  private final func isGood(_ cache: Cache, at moment: Moment) -> Bool {
    var moved: [(place: Int, version: Int)] = []
    for (place, read) in cache.reads.enumerated() {
      let version = moment.version(of: read.cell)
      if version == read.version { continue }
      guard let participant = read.cell as? Participant,
        Followers.isUnchanged(read, of: participant, until: version)
      else { return false }
      moved.append((place, version))
    }
    for source in cache.sources where source.node.version(at: moment) != source.version { return false }
    if !moved.isEmpty {
      // So that nobody has to ask again.
      state.withLock { state in
        guard state.cache?.box === cache.box else { return }
        for (place, version) in moved { state.cache?.reads[place].version = version }
      }
    }
    return true
  }

  /// The number of the value at a moment, which is the present one: another value has another number.
  final func version(at moment: Moment) -> Int { box(at: moment).number }

  /// Takes a new value over, unless it is of an earlier moment than the one that is there.
  private final func adopt(_ box: StateBox, _ log: ReadLog, at moment: Moment, after old: Cache?) {
    let reads = log.reads(at: moment)
    let sources = log.sources.compactMap { source -> (node: AnyDerivedNode, version: Int)? in
      guard let node = source as? AnyDerivedNode, node !== self else { return nil }
      return (node, node.version(at: moment))
    }
    // With no lock held: it runs code of the user's.
    let isSame = old.map { areEqual($0.box, box) } ?? false
    let dropped = state.withLock { state -> Cache? in
      if isSame, let old {
        box.number = old.box.number
      } else {
        state.count += 1
        box.number = state.count
      }
      guard state.cache?.box === old?.box, !isEarlier(reads, than: old) else { return nil }
      defer { state.cache = Cache(box: box, reads: reads, sources: sources) }
      return state.cache
    }
    withExtendedLifetime(dropped) {}
    if let old, sources.isEmpty, old.sources.isEmpty, readsTheSame(reads, old.reads) { return }
    follow()
  }

  /// Whether two lists are about the same cells: then the substances know already that they are followed.
  private final func readsTheSame(_ new: [ReadLog.Read], _ old: [ReadLog.Read]) -> Bool {
    new.count == old.count && zip(new, old).allSatisfy { $0.cell === $1.cell }
  }

  private final func isEarlier(_ reads: [ReadLog.Read], than old: Cache?) -> Bool {
    guard let old else { return false }
    return reads.contains { new in
      old.reads.contains { $0.cell === new.cell && $0.version > new.version }
    }
  }

  /// It reads itself. The last value is all that there is to give.
  private final func cycle(_ last: StateBox?) -> StateBox {
    flux.report(
      .derivedFromItself,
      "a derived value reads itself, at some depth; take what it reads of itself out of its closure",
      at: location
    )
    if let last { return last }
    // There is no value of the type to go on with, and to go on without one would be a recursion without end.
    fatalError("\(location): a derived value reads itself, and there is none yet")
  }

  // MARK: What it depends on

  /// What derived values depend on, at any depth.
  private struct Dependencies {
    var participants: [Participant] = []
    /// The participants, and the derived values that have been asked.
    var seen: Set<ObjectIdentifier> = []
  }

  private final func addDependencies(to all: inout Dependencies) {
    guard all.seen.insert(ObjectIdentifier(self)).inserted, let cache = state.withLock({ $0.cache }) else {
      return
    }
    for read in cache.reads {
      // Only participants are ever read.
      guard let participant = read.cell as? Participant,
        all.seen.insert(ObjectIdentifier(participant)).inserted
      else { continue }
      all.participants.append(participant)
    }
    for source in cache.sources { source.node.addDependencies(to: &all) }
  }

  /// Has the substances that it depends on know it, and no others.
  private final func follow() {
    var dependencies = Dependencies()
    addDependencies(to: &dependencies)
    let new = dependencies.participants
    let old = state.withLock { state in
      let old = state.followed
      if state.isClosed || (old.count == new.count && zip(old, new).allSatisfy { $0 === $1 }) { return old }
      for participant in new where !old.contains(where: { $0 === participant }) {
        Followers.add(self, to: participant)
      }
      for participant in old where !new.contains(where: { $0 === participant }) {
        Followers.remove(self, from: participant)
      }
      state.followed = new
      return old
    }
    // Released with no lock held: it may be the last reference to a state.
    withExtendedLifetime(old) {}
  }

  // MARK: Telling

  /// What observers and trackers are told by. Made when it is first asked for.
  final var anySubstance: AnySubstance? {
    if let made = state.withLock({ $0.substance }) { return made }
    let new = makeSubstance(box())
    return state.withLock { state in
      if state.substance == nil { state.substance = new }
      return state.substance
    }
  }

  final var isLive: Bool {
    guard let participant = state.withLock({ $0.substance?.participant }) else { return false }
    return !participant.listeners.isEmpty || participant.hasNotice(Participant.Notice.tracking)
  }

  final func prepare() {
    let before = box()
    // One that another flux has not told of yet stays: its observers were told of that last.
    state.withLock { state in
      if state.before == nil { state.before = before }
    }
  }

  final func refresh(at moment: Moment) -> Participant? {
    let (before, participant) = state.withLock { state in
      defer { state.before = nil }
      return (state.before, state.substance?.participant)
    }
    guard let before, let participant else { return nil }
    let after = box(at: moment)
    if after.number == before.number { return nil }
    // While nobody listened it was not kept up to date.
    participant.draftState(in: before)
    if participant.changes.pointee.hasDirty {
      participant.publish()
      participant.recordUntold()
      participant.settle()
    }
    participant.draftState(in: after)
    return participant.changes.pointee.hasDirty ? participant : nil
  }

  final func refreshLater() { _ = flux.submit(RefreshWork(node: self), isolation: .none) }
}
