/// The state of a derived value's node, under the lock of the node: the newest record, and, while there are observers,
/// the value of which they were last notified. The events are functions that return what the node must do.
///
/// ```text
///          observer added              base value set
///   idle ──────────────────► following ───────────────► placed
///    ▲                           │                         │
///    └───────────────────────────┴── no observer found ◄───┘ unless the operation in progress has a draft
///
///   any phase ── the derived value is released ──► closed
/// ```
/// Any thread may set the base value of a node in the phase `following`. It replaces the states of the node's substance
/// without an operation. So no node with a draft may come to that phase: the performer is about to commit the draft.
struct DerivedState {
  enum Phase: Equatable, CaseIterable {
    /// No observer was added since the performer found that all had left. The substances do not notify the node.
    case idle
    /// Registered with the substances on which the value depends. The base value is missing, with which the next value
    /// is compared.
    case following
    /// Registered, with a base value. Only the performer commits to the substance.
    case placed
    /// The derived value was released.
    case closed

    var isRegistered: Bool { self == .following || self == .placed }
  }

  /// The state of the substance that notifies observers and tracked closures.
  enum Shown {
    /// The value of this record: the base value, or the value of which the observers were last notified.
    case value(of: DerivedRecord)
    /// A value whose record is not kept: the substance does not exist yet, or it shows an empty value, or the newest
    /// value for an observer that waits for a base value.
    case unrecorded
    /// None. It was released with the last observer, since the substance would keep it as long as the node lives. The
    /// substance gets a state before anything reads it. `cached` is not `nil` in this case.
    case nothing
  }

  /// The code that may have a reference to the records.
  private enum Readers {
    /// Only the performer of the node's flux, which reuses the record's memory for the next record.
    case performer
    case any
  }

  /// The values that tracked closures have read.
  private enum Tracked {
    /// None, or the value that the substance shows.
    case shown
    /// Another one. The next refresh then notifies the closures.
    case another
  }

  private enum Refresh { case none, pending }

  private(set) var phase = Phase.idle
  private(set) var shown = Shown.unrecorded
  /// The newest record, made by any thread.
  private(set) var cached: DerivedRecord?
  /// The substances with which the node is registered; empty in the phases `idle` and `closed`.
  private(set) var registered = ReadList.none
  /// The number of computations in progress of a new record of the derived value.
  private var computing = 0
  private var readers = Readers.performer
  private var tracked = Tracked.shown
  private var refresh = Refresh.none

  /// The record of the value that the substance shows.
  var placed: DerivedRecord? {
    if case .value(let record) = shown { return record }
    return nil
  }

  // MARK: Observers

  /// An observer was added.
  ///
  /// - Returns: the substances with which the node must be registered; `nil` if it is registered, or closed.
  mutating func observerAdded() -> ReadList? {
    if phase != .idle { return nil }
    phase = .following
    return cached?.reads.all ?? ReadList.none
  }

  /// Whether observers wait for a base value.
  var needsBase: Bool { phase == .following }

  /// The caller has registered the node with the substances of a list.
  ///
  /// - Returns: the former list. The caller unregisters the node from it, and releases it without a lock.
  mutating func replaceRegistered(with list: ReadList) -> ReadList {
    let former = registered
    registered = list
    return former
  }

  /// The reason why no base value can be set; `nil` if it can be.
  var refusal: Placing? {
    switch phase {
    case .idle: .idle
    case .following: nil
    case .placed: .present
    case .closed: .closed
    }
  }

  /// Sets the base value, in the phase `following`.
  ///
  /// - Returns: whether the substance shows another value, and must get that of `record`.
  mutating func setBase(_ record: DerivedRecord) -> Bool {
    let isOther = placed?.box !== record.box
    shown = .value(of: record)
    phase = .placed
    return isOther
  }

  /// The substance was made with the value of `record`.
  mutating func substanceMade(with record: DerivedRecord) {
    // An empty value follows from nothing, and would count as right for ever.
    if !record.isEmptyValue { shown = .value(of: record) }
  }

  /// An observer is about to read the state of the substance.
  ///
  /// - Returns: the record whose value the substance must show; `nil` if it has a state.
  mutating func recordToShow() -> DerivedRecord? {
    guard case .nothing = shown, let cached else { return nil }
    shown = .unrecorded
    return cached
  }

  /// The performer has found that there is no observer any more.
  ///
  /// - Parameter hasDraft: whether the operation in progress has a draft of the node's substance, which it will commit.
  /// - Returns: the records to release; the caller must unregister the node, and release the state of its substance.
  ///   `nil` if the node stays registered.
  mutating func leave(hasDraft: Bool) -> Ending? {
    if !phase.isRegistered || hasDraft { return nil }
    let ending = Ending(placed: placed, cached: nil)
    phase = .idle
    shown = .nothing
    tracked = .shown
    return ending
  }

  /// The derived value was released.
  mutating func close() -> Ending {
    let ending = Ending(placed: placed, cached: cached.take())
    phase = .closed
    shown = .nothing
    tracked = .shown
    return ending
  }

  // MARK: Refreshes

  /// A refresh is needed.
  ///
  /// - Returns: whether the caller must request it: the node is registered, and none is pending.
  mutating func requestRefresh() -> Bool {
    if !phase.isRegistered || refresh == .pending { return false }
    refresh = .pending
    return true
  }

  mutating func refreshBegan() { refresh = .none }

  /// A tracked closure has read the value of `record`.
  ///
  /// - Returns: whether the caller must request a refresh, which notifies the closure.
  mutating func trackedClosureRead(_ record: DerivedRecord) -> Bool {
    guard phase == .placed, let placed, placed.number != record.number else { return false }
    tracked = .another
    return requestRefresh()
  }

  /// Whether a key on which the value depends has changed since the observers were last notified.
  func isBehind(_ version: (Cell) -> Int) -> Bool {
    guard phase == .placed, let placed else { return false }
    return placed.check(version) != .right
  }

  // MARK: Records

  /// A record of the present value, for any code: the newest record, or that of the value which the substance shows;
  /// `nil` if both are outdated.
  @inline(__always)
  mutating func present(_ version: (Cell) -> Int) -> DerivedRecord? {
    readers = .any
    if let cached, cached.check(version) == .right { return cached }
    guard let placed, placed !== cached else { return nil }
    return placed.check(version) == .right ? placed : nil
  }

  /// - Parameters:
  ///   - byPerformer: whether only the performer of the node's flux gets the record.
  ///   - isComputing: whether the derived value is already being computed in this consistent read.
  ///   - version: returns the version of a substance at the consistent read.
  @inline(__always)
  mutating func checkRecord(byPerformer: Bool, isComputing: () -> Bool, version: (Cell) -> Int) -> Validity {
    if !byPerformer { readers = .any }
    guard let cached else { return begin(.compute(after: nil), isComputing) }
    let verdict = cached.check(version)
    if verdict == .right { return .right(cached) }
    if let placed, placed !== cached, placed.check(version) == .right { return .right(placed) }
    return begin(verdict == .inSources ? .ask(cached) : .compute(after: cached), isComputing)
  }

  private mutating func begin(_ validity: Validity, _ isComputing: () -> Bool) -> Validity {
    if computing > 0 && isComputing() { return .cycle(cached) }
    computing += 1
    return validity
  }

  /// A computation that `checkRecord` has begun has ended with `record`.
  ///
  /// - Parameter byPerformer: whether the caller is the performer of the node's flux. Its record is stored in any case:
  ///   it has the newest states of this flux.
  mutating func computationEnded(with record: DerivedRecord, byPerformer: Bool) -> Adoption {
    computing -= 1
    if phase == .closed { return .refused }
    if !byPerformer {
      if cached?.isLater(than: record) ?? false { return .refused }
      readers = .any
    }
    let replaced = cached
    cached = record
    return .stored(replaced: replaced)
  }

  // MARK: By the performer, in an operation that refreshes the node

  /// - Parameters:
  ///   - hasDraft: whether the operation has a draft of the node's substance.
  ///   - isComputing: see `checkRecord`.
  ///   - version: see `checkRecord`.
  @inline(__always)
  mutating func refreshing(hasDraft: Bool, isComputing: () -> Bool, version: (Cell) -> Int) -> RefreshStep {
    if !phase.isRegistered { return .nothing }
    if phase == .following { return .noBase }
    guard let placed else { return .nothing }
    // No code can have read another present value than that of `placed`.
    let isUsual = cached === placed && computing == 0 && tracked == .shown
    if isUsual && !hasDraft {
      // Fast path for the most frequent case: the closure itself has read the changed key, so it runs again. Other
      // derived values that it has read need not be checked first.
      let verdict = placed.check(version)
      if verdict == .right { return .nothing }
      if verdict == .changed {
        computing = 1
        return .compute(after: placed)
      }
    }
    let mustNotify = tracked == .another
    tracked = .shown
    let validity = checkRecord(byPerformer: true, isComputing: isComputing, version: version)
    return .decide(validity, placed: placed, mustNotify: mustNotify)
  }

  /// The computation of `compute(after:)` has ended with `record`, in the draft of the node's substance.
  ///
  /// - Parameter replaced: receives the replaced records, which the caller must release without the lock.
  mutating func computed(_ record: DerivedRecord, replaced: inout (DerivedRecord?, DerivedRecord?)) -> Storing
  {
    computing -= 1
    if phase == .closed { return .closed }
    replaced.0 = cached
    cached = record
    if tracked == .another || registered.serial != record.serial { return .unplaced }
    replaced.1 = placed
    shown = .value(of: record)
    let spare = readers == .performer ? replaced.1 : nil
    readers = .performer
    return .placed(spare: spare)
  }

  /// The value of `record` is in the draft of the node's substance, or equal to the state of the substance.
  ///
  /// - Returns: whether the node is registered with other substances than those of the record; `nil` if the node has no
  ///   base value, so that nothing is placed.
  mutating func place(_ record: DerivedRecord) -> Bool? {
    guard phase == .placed else { return nil }
    shown = .value(of: record)
    return registered !== record.reads.all
  }
}
