/// The effects of one dispatcher, by group. It decides which effects run, wait and are cancelled. It has no
/// threads, no clocks and no side effects, and compares numbers and object identities only.
struct EffectTable {
  /// The effects that the policies and paces count together. Equal identifiers of two middlewares are two groups,
  /// unless both middlewares have registered them for one shared group.
  struct Group: Hashable, Sendable {
    enum Holder: Hashable, Sendable {
      /// The number of a middleware. Its object identifier may be used again before a throttling interval ends.
      case middleware(Int)
      case shared(String)
    }

    /// The number of the effects' identifier.
    let identifier: Int
    let holder: Holder
  }

  /// The data that the decisions depend on.
  struct Entry: Sendable {
    let run: Int
    let group: Group
    /// The worker that it was started for.
    let owner: ObjectIdentifier
    /// The middleware that registered the effect: the owner, or a middleware that is nested in the owner.
    let middleware: ObjectIdentifier
    /// The run that dispatched the action of this effect, if it has the same identifier.
    var parent: Int?
    let policy: FluxEffectPolicy
    let pace: FluxEffectPace
  }

  /// A command for a run or a timer. A number identifies the run or the timer.
  enum Decision: Equatable {
    case start(Int)
    /// Cancel a run that has started.
    case cancel(Int)
    /// Discard a run that has not been started.
    case drop(Int)
    /// Start a timer with the clock of the run. After the duration, call `fired` of this table.
    case startTimer(Int, run: Int, Duration)
    case cancelTimer(Int)
  }

  /// The effects that a cancellation concerns.
  enum Scope: Hashable {
    case all
    case owner(ObjectIdentifier)
    case middleware(ObjectIdentifier)
    /// One effect, whose state was removed.
    case run(Int)

    var isOfOneRun: Bool { if case .run = self { true } else { false } }

    func contains(_ entry: Entry) -> Bool {
      switch self {
      case .all: true
      case .owner(let owner): entry.owner == owner
      case .middleware(let middleware): entry.middleware == middleware
      case .run(let run): entry.run == run
      }
    }
  }

  /// The groups by the number of their identifier, and by their holder.
  private var groups: [Int: [Group.Holder: EffectGroup]] = [:]
  /// The registered workers, which may start effects. Each has the groups in which it may have effects.
  private var owners: [ObjectIdentifier: Set<Group>] = [:]
  private var lastTimer = 0
  private var isClosed = false

  /// True if no effect runs or waits, and no debouncing pause or throttling interval is in progress.
  var isIdle: Bool { groups.isEmpty && owners.values.allSatisfy(\.isEmpty) }

  /// Accepts effects of this worker from now on.
  mutating func own(_ owner: ObjectIdentifier) { if owners[owner] == nil { owners[owner] = [] } }

  /// Cancels the effects of this worker, and accepts none from now on.
  mutating func disown(_ owner: ObjectIdentifier) -> [Decision] {
    let groups = owners.removeValue(forKey: owner) ?? []
    return inOrder(groups).flatMap { cancel($0, of: .owner(owner)) }
  }

  /// Adds an effect, and returns the decisions that follow from its policy and its pace.
  mutating func add(_ entry: Entry) -> [Decision] {
    guard !isClosed, owners[entry.owner]?.insert(entry.group) != nil else { return [.drop(entry.run)] }
    let isCancelled = entry.parent != nil && isCancelledWithParent(entry)
    return change(entry.group) { isCancelled ? $0.drop(entry) : $0.add(entry, newTimer: $1) }
  }

  /// A timer has run out: the effect that it has delayed may start.
  mutating func fired(_ timer: Int, of group: Group) -> [Decision] {
    change(group) { $0.fired(timer, newTimer: $1) }
  }

  /// A run that was started has ended.
  mutating func ended(_ run: Int, of group: Group) -> [Decision] {
    change(group) { group, _ in group.ended(run) }
  }

  /// Cancels effects of an identifier, in all groups that have it.
  mutating func cancel(_ identifier: Int, of scope: Scope) -> [Decision] {
    let groups = (groups[identifier] ?? [:]).keys.map { Group(identifier: identifier, holder: $0) }
    return inOrder(groups).flatMap { cancel($0, of: scope) }
  }

  /// Cancels all effects, and accepts none from now on.
  mutating func close() -> [Decision] {
    isClosed = true
    return groups.keys.sorted().flatMap { cancel($0, of: .all) }
  }

  /// The queued effects of a group that wait for the end of an effect that has started.
  func queued(behind run: Int, in group: Group) -> [Int] {
    groups[group.identifier]?[group.holder]?.queued(behind: run) ?? []
  }

  /// Cancels one effect of a group.
  mutating func cancel(run: Int, in group: Group) -> [Decision] {
    if groups[group.identifier]?[group.holder] == nil { return [] }
    return cancel(group, of: .run(run))
  }

  private mutating func cancel(_ group: Group, of scope: Scope) -> [Decision] {
    change(group) { group, _ in group.cancel(scope) }
  }

  private mutating func change(
    _ group: Group,
    _ body: (inout EffectGroup, _ newTimer: Int) -> [Decision]
  ) -> [Decision] {
    lastTimer += 1
    var effects = groups[group.identifier]?.removeValue(forKey: group.holder) ?? EffectGroup()
    let decisions = body(&effects, lastTimer)
    if effects.isIdle {
      for owner in effects.owners { owners[owner]?.remove(group) }
      if groups[group.identifier]?.isEmpty == true { groups[group.identifier] = nil }
    } else {
      groups[group.identifier, default: [:]][group.holder] = effects
    }
    return decisions
  }

  /// Whether the run that dispatched this effect's action was cancelled, by a cancellation that also covers this
  /// effect. Without this check effects that restart each other through their actions would survive `cancelEffects`.
  private func isCancelledWithParent(_ entry: Entry) -> Bool {
    (groups[entry.group.identifier] ?? [:]).values.contains { $0.coversChild(entry) }
  }

  /// The groups in the order of their newest effects.
  private func inOrder(_ groups: some Collection<Group>) -> [Group] {
    Array(groups).ordered { self.groups[$0.identifier]?[$0.holder]?.newestRun ?? 0 }
  }
}
