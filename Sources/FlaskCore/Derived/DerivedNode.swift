@_spi(FlaskInternals) internal import FlaskArchive
@_spi(FlaskInternals) internal import FlaskDiff
internal import Synchronization

/// A derived value, whatever its type.
///
/// `@unchecked Sendable` since the class is not final: it is constant, and its one subclass guards what is not.
class AnyDerivedNode: @unchecked Sendable {
  /// The flux that tells its observers.
  final let flux: Flux
  final let location: SourceLocation
  /// In the order in which they were made.
  final let serial: Int
  private static let made = Atomic<Int>(0)

  init(flux: Flux, location: SourceLocation) {
    self.flux = flux
    self.location = location
    serial = AnyDerivedNode.made.add(1, ordering: .relaxed).newValue
  }

  /// Whether anybody is to be told of changes.
  var isLive: Bool { false }
  /// Sees to it that the value before the operation in progress is known. By the performer.
  func prepare() {}
  /// Computes the value after the operation in progress, from the drafts. Returns the participant to be committed, if
  /// the value is another one. By the performer.
  func refresh() -> Participant? { nil }
  /// Has the flux of the node look for changes in an operation of its own.
  func refreshLater() {}
  /// The number of the value at a moment, which is the present one: another value has another number.
  func version(at moment: Moment) -> UInt64 { 0 }
  /// Adds the substances that it, and what it is derived from, depends on.
  func addDependencies(to all: inout Dependencies) {}

  /// What derived values depend on, at any depth.
  struct Dependencies {
    var participants: [ObjectIdentifier: Participant] = [:]
    /// The derived values that have been asked.
    var nodes: Set<ObjectIdentifier> = []
  }
}

/// A closure, and what it returned last.
///
/// What it read is known by the versions of the states. So the value is good for as long as none of them has another
/// version or, where it has, none of the keys that were read has changed.
///
/// `@unchecked Sendable`: everything mutable is under a lock.
final class DerivedNode<Value: Sendable>: AnyDerivedNode, @unchecked Sendable {
  private struct Cache {
    let box: StateBox
    var dependencies: [Dependency]
    let sources: [(node: AnyDerivedNode, version: UInt64)]
  }

  private struct State {
    var cache: Cache?
    /// How many values there were.
    var count: UInt64 = 0
    /// The substances that it, and what it is derived from, depends on.
    var followed: [ObjectIdentifier: Participant] = [:]
    /// What observers and trackers are told by, once there are any.
    var substance: DerivedSubstance<Value>?
    /// The value before the operation in progress.
    var before: StateBox?
  }

  private let state = Lock(State())
  private let compute: @Sendable () -> Value

  init(flux: Flux, location: SourceLocation, _ compute: @escaping @Sendable () -> Value) {
    self.compute = compute
    super.init(flux: flux, location: location)
  }

  deinit {
    let identifier = ObjectIdentifier(self)
    for participant in state.withLock({ $0.followed }).values {
      Derivations.of(participant.flux).remove(identifier, from: participant)
    }
  }

  // MARK: Reading

  /// The value at the present moment.
  func box() -> StateBox {
    if !Moment.areAny, let cache = state.withLock({ $0.cache }), isCurrent(cache) { return cache.box }
    return Moment.perform { Moment.current.map { box(at: $0) } ?? computed() }
  }

  /// Whether all that was read is still committed, in the same version. Versions only grow, so all of them were there
  /// together when the first was looked at.
  private func isCurrent(_ cache: Cache) -> Bool {
    cache.sources.isEmpty
      && cache.dependencies.allSatisfy { $0.participant.committedVersion == $0.version }
  }

  private func computed() -> StateBox { TypedStateBox<Value> { compute() } }

  /// The value at a moment, which is the present one.
  private func box(at moment: Moment) -> StateBox {
    let cache = state.withLock { $0.cache }
    guard moment.begin(self) else { return cycle(cache?.box) }
    defer { moment.end(self) }
    if let cache, isGood(cache, at: moment) {
      if !cache.sources.isEmpty { follow() }
      return cache.box
    }
    let log = ReadLog()
    let box = moment.logging(in: log) { computed() }
    adopt(box, log, at: moment, after: cache)
    return box
  }

  /// Whether the value is that of a moment.
  private func isGood(_ cache: Cache, at moment: Moment) -> Bool {
    var dependencies = cache.dependencies
    var hasMoved = false
    for index in dependencies.indices {
      let version = moment.version(of: dependencies[index].participant)
      if version == dependencies[index].version { continue }
      let derivations = Derivations.of(dependencies[index].participant.flux)
      guard derivations.isUnchanged(dependencies[index], until: version) else { return false }
      dependencies[index].version = version
      hasMoved = true
    }
    for source in cache.sources where source.node.version(at: moment) != source.version { return false }
    if hasMoved {
      // So that nobody has to ask again.
      state.withLock { if $0.cache?.box === cache.box { $0.cache?.dependencies = dependencies } }
    }
    return true
  }

  override func version(at moment: Moment) -> UInt64 { box(at: moment).version.load(ordering: .relaxed) }

  /// Takes a new value over, unless it is of an earlier moment than the one that is there.
  private func adopt(_ box: StateBox, _ log: ReadLog, at moment: Moment, after old: Cache?) {
    let dependencies = log.cells.values.compactMap { entry -> Dependency? in
      guard let participant = entry.cell as? Participant else { return nil }
      return Dependency(
        participant: participant,
        keys: entry.keys,
        isWhole: entry.isWhole,
        version: moment.version(of: participant)
      )
    }
    let sources = log.sources.values.compactMap { source -> (node: AnyDerivedNode, version: UInt64)? in
      guard let node = source as? AnyDerivedNode, node !== self else { return nil }
      return (node, node.version(at: moment))
    }
    // With no lock held: it runs code of the user's.
    let isSame = old.map { areEqual($0.box, box) } ?? false
    let dropped = state.withLock { state -> Cache? in
      if isSame, let old {
        box.version.store(old.box.version.load(ordering: .relaxed), ordering: .relaxed)
      } else {
        state.count += 1
        box.version.store(state.count, ordering: .relaxed)
      }
      guard state.cache?.box === old?.box, !isEarlier(dependencies, than: old) else { return nil }
      defer { state.cache = Cache(box: box, dependencies: dependencies, sources: sources) }
      return state.cache
    }
    withExtendedLifetime(dropped) {}
    follow()
  }

  private func isEarlier(_ dependencies: [Dependency], than old: Cache?) -> Bool {
    guard let old else { return false }
    return dependencies.contains { new in
      old.dependencies.contains { $0.participant === new.participant && $0.version > new.version }
    }
  }

  private func areEqual(_ a: StateBox, _ b: StateBox) -> Bool {
    StateDiff.areEqual(
      a.address.assumingMemoryBound(to: Value.self).pointee,
      b.address.assumingMemoryBound(to: Value.self).pointee
    )
  }

  /// It reads itself. The last value is all that there is to give.
  private func cycle(_ last: StateBox?) -> StateBox {
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

  override func addDependencies(to all: inout Dependencies) {
    guard all.nodes.insert(ObjectIdentifier(self)).inserted, let cache = state.withLock({ $0.cache }) else {
      return
    }
    for dependency in cache.dependencies {
      all.participants[ObjectIdentifier(dependency.participant)] = dependency.participant
    }
    for source in cache.sources { source.node.addDependencies(to: &all) }
  }

  /// Has the fluxes know what it depends on.
  private func follow() {
    var dependencies = Dependencies()
    addDependencies(to: &dependencies)
    let all = dependencies.participants
    let old = state.withLock { state in
      let old = state.followed
      for (key, participant) in all where old[key] == nil {
        Derivations.of(participant.flux).add(self, to: participant)
      }
      for (key, participant) in old where all[key] == nil {
        Derivations.of(participant.flux).remove(ObjectIdentifier(self), from: participant)
      }
      state.followed = all
      return old
    }
    // Released with no lock held: it may be the last reference to a state.
    withExtendedLifetime(old) {}
  }

  // MARK: Telling

  /// What observers and trackers are told by. Made when it is first asked for.
  var substance: DerivedSubstance<Value> {
    if let made = state.withLock({ $0.substance }) { return made }
    let new = DerivedSubstance<Value>(initial: box(), flux: flux, location: location)
    let kept = state.withLock { state in
      if state.substance == nil { state.substance = new }
      return state.substance
    }
    return kept ?? new
  }

  override var isLive: Bool {
    guard let participant = state.withLock({ $0.substance })?.participant else { return false }
    return !participant.listeners.isEmpty || participant.hasNotice(Participant.Notice.tracking)
  }

  override func prepare() {
    let before = box()
    let old = state.withLock { state in
      defer { state.before = before }
      return state.before
    }
    withExtendedLifetime(old) {}
  }

  override func refresh() -> Participant? {
    let (before, substance) = state.withLock { state in
      defer { state.before = nil }
      return (state.before, state.substance)
    }
    guard let before, let participant = substance?.participant, let moment = Moment.current else {
      return nil
    }
    let after = box(at: moment)
    if after.version.load(ordering: .relaxed) == before.version.load(ordering: .relaxed) { return nil }
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

  override func refreshLater() {
    _ = flux.submit(RefreshWork(node: self), isolation: .none)
  }
}

/// Looks for changes of a derived value that depends on substances of another flux.
struct RefreshWork: FluxWork {
  let node: AnyDerivedNode

  func perform(in transaction: FluxTransaction, lock: FluxLock?, isolation: ActorIdentity) -> OperationResult
  {
    let participant = Moment.perform { node.refresh() }
    guard let participant else { return .unchanged }
    transaction.append(participant)
    return transaction.commitReduced(lock: lock, isolation: isolation)
  }
}

/// Tells of the changes of a derived value.
final class DerivedSubstance<Value: Sendable>: TypedSubstance<Value>, @unchecked Sendable {
  init(initial: StateBox, flux: Flux, location: SourceLocation) {
    super.init(
      initial: initial,
      name: "a derived \(Value.self)",
      archiving: Archiving(isWanted: false, backend: nil),
      location: location,
      flux: flux,
      isDerived: true
    )
  }
}

extension StateCell {
  /// Makes the draft what is in a box, and finds what that changes. By the performer.
  fileprivate final func draftState(in box: StateBox) {
    open()
    _ = layout.copyDifferences(from: box.address, to: draft)
    reduce()
  }
}
