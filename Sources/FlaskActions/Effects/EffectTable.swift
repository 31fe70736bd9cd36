/// The effects of one dispatcher, by identifier. It decides which effects run, wait and are cancelled. It has no
/// threads, no clocks and no side effects, and compares numbers and object identities only.
struct EffectTable {
  /// The data that the decisions depend on.
  struct Entry: Sendable {
    let run: Int
    /// The number of the effect's identifier.
    let identifier: Int
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

    func contains(_ entry: Entry) -> Bool {
      switch self {
      case .all: true
      case .owner(let owner): entry.owner == owner
      case .middleware(let middleware): entry.middleware == middleware
      }
    }
  }

  private var groups: [Int: EffectGroup] = [:]
  /// The registered workers, which may start effects. Each has the identifiers of the groups in which it may have
  /// effects.
  private var owners: [ObjectIdentifier: Set<Int>] = [:]
  private var lastTimer = 0
  private var isClosed = false

  /// True if no effect runs or waits, and no debouncing pause or throttling interval is in progress.
  var isIdle: Bool { groups.isEmpty && owners.values.allSatisfy(\.isEmpty) }

  /// Accepts effects of this worker from now on.
  mutating func own(_ owner: ObjectIdentifier) { if owners[owner] == nil { owners[owner] = [] } }

  /// Cancels the effects of this worker, and accepts none from now on.
  mutating func disown(_ owner: ObjectIdentifier) -> [Decision] {
    let identifiers = owners.removeValue(forKey: owner) ?? []
    return identifiers.sorted().flatMap { cancel($0, of: .owner(owner)) }
  }

  /// Adds an effect, and returns the decisions that follow from its policy and its pace.
  mutating func add(_ entry: Entry) -> [Decision] {
    guard !isClosed, owners[entry.owner]?.insert(entry.identifier) != nil else { return [.drop(entry.run)] }
    return change(entry.identifier) { $0.add(entry, newTimer: $1) }
  }

  /// The time of a timer is over.
  mutating func fired(_ timer: Int, of identifier: Int) -> [Decision] {
    change(identifier) { $0.fired(timer, newTimer: $1) }
  }

  /// A run that was started has ended.
  mutating func ended(_ run: Int, of identifier: Int) -> [Decision] {
    change(identifier) { group, _ in group.ended(run) }
  }

  /// Cancels effects of an identifier.
  mutating func cancel(_ identifier: Int, of scope: Scope) -> [Decision] {
    change(identifier) { group, _ in group.cancel(scope) }
  }

  /// Cancels all effects, and accepts none from now on.
  mutating func close() -> [Decision] {
    isClosed = true
    return groups.keys.sorted().flatMap { cancel($0, of: .all) }
  }

  private mutating func change(
    _ identifier: Int,
    _ body: (inout EffectGroup, _ newTimer: Int) -> [Decision]
  ) -> [Decision] {
    lastTimer += 1
    let decisions = body(&groups[identifier, default: EffectGroup()], lastTimer)
    if let group = groups[identifier], group.isIdle {
      for owner in group.owners { owners[owner]?.remove(identifier) }
      groups[identifier] = nil
    }
    return decisions
  }
}
