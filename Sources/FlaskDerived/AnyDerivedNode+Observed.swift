internal import Dispatch
internal import FlaskPrimitives
internal import Synchronization

// Notifies the observers and tracked closures of a derived value through a substance whose state is the derived value.
//
// The derived value has a node, which is registered with its sources from its first observer on. Adding an observer
// does not return until the substance has a base value, with which the next value is compared (`DerivedPhase`). One of
// two threads sets the base value, whichever comes first. One is the thread that adds the observer. It sets the base
// value when a computed value is known to be right while the node is registered. The other is the performer of the
// home flux, before it commits a change of a source. From then on only the performer commits to the substance, in
// operations.
extension AnyDerivedNode {
  /// Made when it is first asked for.
  final var anySubstance: AnySubstance? {
    if let made = notifying.load(ordering: .acquiring) { return made.object }
    let record = record()
    guard let new = makeSubstance(record.box).map({ UnretainedReference.owned($0) }) else { return nil }
    let isFirst = state.withLock { state in
      if notifying.load(ordering: .acquiring) != nil { return false }
      // An empty value follows from nothing, and would count as right for ever.
      if !record.isEmptyValue { state.placed = record }
      notifying.store(new, ordering: .releasing)
      return true
    }
    if !isFirst { new.release() }
    return notifying.load(ordering: .acquiring)?.object
  }

  final var notifier: UnretainedReference<Cell>? {
    notifying.load(ordering: .acquiring)?.use { UnretainedReference($0.cell) }
  }

  /// Whether any observer or tracked closure has to be notified of changes.
  private final var isHeard: Bool {
    notifier?.use { !$0.listeners.isEmpty || $0.notices & Cell.Notice.tracking != 0 } ?? false
  }

  // MARK: From any thread

  /// Sets the base value, with which the next value of the derived value is compared, to the value of `record`. Does so
  /// only if `record` is right and no base value is set.
  ///
  /// - Returns: `true` if nothing is left to do: the base value is set, by this call or before, or the node is closed.
  ///
  /// - Parameter version: returns the published version of a substance with which the node is registered. `record` is
  ///   checked against it; `nil` if `record` need not be right.
  final func tryPlace(_ record: DerivedRecord, at version: ((Cell) -> Int)?) -> Bool {
    // Held until the lock is free.
    var old: (DerivedRecord?, ReadList, [StateBox])?
    defer { withExtendedLifetime(old) {} }
    return state.withLock { state in
      if state.phase == .idle { return false }
      if state.phase != .following { return true }
      old = (state.placed, state.followed, [])
      follow(record.reads.all, &state)
      if let version, record.check(version) != .right { return false }
      if state.placed?.box !== record.box || state.isSubstanceEmpty {
        notifier?.use { old?.2 = $0.install(record.box) }
        state.isSubstanceEmpty = false
      }
      state.placed = record
      state.phase = .placed
      return true
    }
  }

  /// Registers a registered node with other substances.
  final func follow(_ list: ReadList, _ state: inout State) {
    if list === state.followed { return }
    list.register(self, except: state.followed)
    state.followed.unregister(self, except: list)
    state.followed = list
  }

  /// Ends the registration of the node with its sources, and returns the list of these. The caller must release the
  /// list while it holds no lock.
  final func unfollow(_ state: inout State) -> ReadList {
    let followed = state.followed
    follow(.none, &state)
    state.isSeenElsewhere = false
    return followed
  }

  /// Called when a tracked closure has read a value of the derived value. If the node's substance, which notifies the
  /// closure, has another value, a refresh is requested, unless one is pending. The refresh brings the substance up to
  /// date and notifies the closure.
  final func noteSeen(_ record: DerivedRecord) {
    let mustRefresh = state.withLock { state in
      guard state.phase == .placed, let placed = state.placed, placed.number != record.number else {
        return false
      }
      state.isSeenElsewhere = true
      return claimRefresh(&state)
    }
    // The refresh is requested on another thread, since a read must not perform operations.
    if mustRefresh { DispatchQueue(label: "Flask.derived").async { self.refresh() } }
  }

  /// Requests an operation that refreshes the derived value, if an operation of `performed` has committed a change
  /// without refreshing it. This happens if the node was registered during that operation. If `performed` is the node's
  /// flux, the refresh is its next operation.
  ///
  /// - Parameter performed: the flux of the operation that committed the change.
  final func refreshIfBehind(in performed: Flux) {
    let isStale = state.withLock { state in
      guard state.phase == .placed, let placed = state.placed else { return false }
      return placed.check { $0.committedVersion } != .right
    }
    if !isStale { return }
    if flux === performed {
      _ = flux.submitExclusively(.refresh(self), isolation: .none)
    } else {
      refreshLater()
    }
  }

  /// Submits an operation to the node's flux that refreshes the derived value, unless one is pending or the node is not
  /// registered with its sources.
  final func refreshLater() {
    if state.withLock({ claimRefresh(&$0) }) { refresh() }
  }

  /// Marks a refresh of the node as pending. The result is `true` if the caller must request the refresh: the node is
  /// registered, and no refresh was pending.
  private final func claimRefresh(_ state: inout State) -> Bool {
    if !state.phase.isRegistered || state.isRefreshing { return false }
    state.isRefreshing = true
    return true
  }

  private final func refresh() { _ = flux.submit(.refresh(self), isolation: .none) }

  // MARK: By the performer of its flux

  /// Finds the value of the derived value at a consistent read. It is called again for the same operation if the read
  /// has to be repeated. If it has changed, it is written to the draft of the
  /// node's substance, and `drafted` is set. The caller then commits this draft, which notifies the observers.
  ///
  /// - Returns: `false` if the substance has no base value with which the new value could be compared.
  final func find(at moment: ConsistentRead) -> Bool {
    guard let cell = notifier else { return true }
    var placed = DerivedRecord?.none
    var found = Look?.none
    var old: (ReadList, DerivedRecord?, [StateBox])?
    let next = state.withLock { state -> Next in
      if !state.phase.isRegistered { return .nothing }
      if !isHeard && state.phase.leave(hasDraft: drafted != nil) {
        old = (unfollow(&state), state.placed.take(), cell.use { $0.install(.none) })
        state.isSubstanceEmpty = true
      }
      switch state.phase {
      case .idle, .closed: return .nothing
      case .following: return .begin
      case .placed: break
      }
      placed = state.placed
      if state.isUsual && drafted == nil, let placed {
        // Fast path for the most frequent case: the closure itself has read the changed key, so it runs again. Other
        // derived values that it has read need not be checked first.
        let verdict = placed.check { moment.version(of: $0) }
        if verdict == .right { return .nothing }
        if verdict == .changed {
          state.computing = 1
          return .compute
        }
      }
      if state.isSeenElsewhere { (isSeenElsewhere, state.isSeenElsewhere) = (true, false) }
      found = look(at: moment, &state)
      return .look
    }
    withExtendedLifetime(old) {}
    guard let placed, next != .nothing else { return next != .begin }
    let record: DerivedRecord
    if next == .compute {
      record = moment.compute(self, after: placed, in: cell)
      if take(record) { return true }
    } else if let found {
      record = moment.record(of: self, found)
      if record === placed && !isSeenElsewhere { return true }
    } else {
      return false
    }
    let box = record.borrowedBox
    let present = drafted ?? placed.borrowedBox
    if !(box == present) {
      drafted = cell.use { cell in
        box.use { cell.draftState(in: $0) }
        return cell.changes.pointee.hasDirty ? box : nil
      }
    }
    let mustRefresh = state.withLock { state in
      guard state.phase == .placed else { return false }
      let isOther = state.followed !== record.reads.all
      follow(record.reads.all, &state)
      state.placed = record
      // If the value now depends on other keys, its record is checked once more. A substance of another flux may have
      // committed a change before the node was registered with it.
      return isOther
        && record.check { moment.isHome($0) ? moment.version(of: $0) : $0.publishedVersion } != .right
    }
    if isSeenElsewhere && drafted == nil {
      notifying.load(ordering: .acquiring)?.use { $0.didPublish(hasKeys: true) }
    }
    isSeenElsewhere = false
    if mustRefresh { refreshLater() }
    return true
  }

  private enum Next { case nothing, begin, compute, look }

  /// Ends the computation of `record`, whose value was computed in the draft of the node's substance. Stores `record`
  /// as the newest record of the node, and as `placed`, the record of the substance's value. Nothing is stored if the
  /// node is closed; the result is then `true`.
  ///
  /// - Returns: `false` if `placed` was not set. This holds if a tracked closure has read another value, or if the
  ///   value now depends on other keys than the node is registered with. The caller must then set `placed`. It also
  ///   holds if the node has no base value any more; then `placed` must not be set.
  private final func take(_ record: DerivedRecord) -> Bool {
    // These variables receive the replaced records, so that they are released after the lock, since a release may run
    // client code.
    var last = Optional(record)
    var placed = Optional(record)
    var isSpare = false
    let isTaken = state.withLock { state in
      state.computing -= 1
      if state.phase == .closed { return true }
      swap(&state.cached, &last)
      if state.phase != .placed || state.isSeenElsewhere || state.followed.serial != record.serial {
        return false
      }
      swap(&state.placed, &placed)
      isSpare = !state.isLent
      state.isLent = false
      return true
    }
    if isSpare {
      placed?.clear()
      spare = placed.take()
    }
    return isTaken
  }

  /// Sets the base value, with which the next value of the derived value is compared, to its value at a consistent
  /// read. A base value that is already set is kept. In both cases a refresh is requested, unless one is pending or the
  /// node is not registered.
  final func begin(at moment: ConsistentRead) {
    _ = tryPlace(moment.record(of: self), at: nil)
    // A source in another flux may have changed before the node was registered with that source. A refresh therefore
    // checks the base value again.
    refreshLater()
  }
}

extension FluxOperation {
  /// Returns an operation that notifies the observers of a derived value of a change that they have missed. Reasons
  /// are: a source belongs to another flux, the node was registered during an operation, or a tracked closure has read
  /// another value.
  static func refresh(_ node: AnyDerivedNode) -> FluxOperation {
    let identity = OperationIdentity(.refresh, at: node.location, by: .flask)
    return FluxOperation(identity, in: node.flux) { transaction in
      node.state.withLock { $0.isRefreshing = false }
      Derivation.of(node.flux).refresh(node, in: transaction)
      return .commitCompared
    }
  }
}
