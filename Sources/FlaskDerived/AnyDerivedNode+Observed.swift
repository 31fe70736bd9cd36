internal import Dispatch
internal import FlaskPrimitives
internal import Synchronization

// Notifies the observers and tracked closures of a derived value through a substance whose state is the derived value.
//
// The derived value has a node, which is registered with its sources from its first observer on. Adding an observer
// does not return until the substance has a base value, with which the next value is compared (`isPlaced`). One of two
// threads sets the base value, whichever comes first. One is the thread that adds the observer. It sets the base value
// when a computed value is known to be right while the node is registered. The other is the performer of the home flux,
// before it commits a change of a source. From then on only the performer commits to the substance, in operations.
extension AnyDerivedNode {
  /// Made when it is first asked for.
  final var anySubstance: AnySubstance? {
    if let made = notifying.load(ordering: .acquiring) { return made.object }
    let record = record()
    guard let new = makeSubstance(record.box).map({ UnretainedReference.owned($0) }) else { return nil }
    let isFirst = state.withLock { state in
      if notifying.load(ordering: .acquiring) != nil { return false }
      state.placed = record
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

  /// Ensures that an observer that was just added is notified of each change since the current value.
  final func keep() {
    // The consistent read of the running code is suspended. It may be of an earlier moment, but the base value must be
    // the present value.
    CurrentReader.suspended {
      // A second attempt is needed only if an operation gathered the nodes to refresh before this registration, and
      // committed a source since. A third attempt is needed only if a closure changes its own sources.
      for _ in 0..<100 {
        if state.withLock({ isKept(&$0) }) { return }
        if tryPlace(record(), at: { $0.publishedVersion }) { return }
      }
      _ = tryPlace(record(), at: nil)
      refreshLater()
    }
  }

  /// Registers the node with its sources if it is not registered.
  ///
  /// - Returns: `true` if nothing is left to do: the node is closed, or was already registered and has a base value.
  private final func isKept(_ state: inout State) -> Bool {
    if state.isClosed || state.isRegistered && state.isPlaced { return true }
    if !state.isRegistered {
      state.isRegistered = true
      follow(state.cached?.reads.all ?? .none, &state)
    }
    return false
  }

  /// Sets the base value of the node's substance, if `record` is right and no base value is set.
  ///
  /// - Returns: `true` if nothing is left to do: the base value is set, by this call or before, or the node is closed.
  ///
  /// - Parameter version: returns the version of a cell at a time when the cell's performer knows the node; `nil` if
  ///   `record` need not be right.
  private final func tryPlace(_ record: DerivedRecord, at version: ((Cell) -> Int)?) -> Bool {
    // Held until the lock is free.
    var old: (DerivedRecord?, ReadList, [StateBox])?
    defer { withExtendedLifetime(old) {} }
    return state.withLock { state in
      if state.isClosed || state.isPlaced { return true }
      if !state.isRegistered { return false }
      old = (state.placed, state.followed, [])
      follow(record.reads.all, &state)
      if let version, record.check(version) != .right { return false }
      if state.placed?.box !== record.box { notifier?.use { old?.2 = $0.install(record.box) } }
      (state.placed, state.isPlaced) = (record, true)
      return true
    }
  }

  /// Registers a registered node with other substances.
  private final func follow(_ list: ReadList, _ state: inout State) {
    if list === state.followed { return }
    list.register(self, except: state.followed)
    state.followed.unregister(self, except: list)
    state.followed = list
  }

  /// Removes the node from its sources. The caller must release the returned list while it holds no lock.
  final func unregister(_ state: inout State) -> ReadList {
    let followed = state.followed
    follow(.none, &state)
    (state.isRegistered, state.isPlaced, state.isSeenElsewhere) = (false, false, false)
    return followed
  }

  /// Called when a tracked closure has read a value of the node. If the state of the node's substance is another value,
  /// a refresh is requested, unless a refresh is pending. The refresh notifies the closure.
  final func noteSeen(_ record: DerivedRecord) {
    let mustRefresh = state.withLock { state in
      guard state.isPlaced, let placed = state.placed, placed.number != record.number else { return false }
      state.isSeenElsewhere = true
      return claimRefresh(&state)
    }
    // The refresh is requested on another thread, since a read must not perform operations.
    if mustRefresh { DispatchQueue(label: "Flask.derived").async { self.refresh() } }
  }

  /// Requests a refresh by the node's flux, if an operation of `performed` has committed a change without asking the
  /// node. This happens if the node was registered during the operation. If `performed` is the node's flux, the refresh
  /// is its next operation.
  ///
  /// - Parameter performed: the flux of the operation.
  final func refreshIfBehind(in performed: Flux) {
    let isStale = state.withLock { state in
      guard state.isPlaced, let placed = state.placed else { return false }
      return placed.check { $0.committedVersion } != .right
    }
    if !isStale { return }
    if flux === performed {
      _ = flux.submitExclusively(.refresh(self), isolation: .none)
    } else {
      refreshLater()
    }
  }

  /// Requests a refresh by the node's flux, unless a refresh is pending or the node is not registered.
  final func refreshLater() {
    if state.withLock({ claimRefresh(&$0) }) { refresh() }
  }

  /// Marks a refresh of the node as pending. The result is `true` if the caller must request the refresh: the node is
  /// registered, and no refresh was pending.
  private final func claimRefresh(_ state: inout State) -> Bool {
    if !state.isRegistered || state.isRefreshing { return false }
    state.isRefreshing = true
    return true
  }

  private final func refresh() { _ = flux.submit(.refresh(self), isolation: .none) }

  // MARK: By the performer of its flux

  /// Finds the node's value at a consistent read. A changed value is written to the draft of the node's substance, and
  /// `drafted` is set, so that the draft is committed.
  ///
  /// - Returns: `false` if the substance has no base value for changes yet.
  final func find(at moment: ConsistentRead) -> Bool {
    guard let cell = notifier else { return true }
    var (placed, found, old) = (DerivedRecord?.none, Look?.none, ReadList?.none)
    let next = state.withLock { state -> Next in
      if !state.isRegistered { return .nothing }
      if !isHeard {
        old = unregister(&state)
        return .nothing
      }
      if !state.isPlaced { return .begin }
      placed = state.placed
      if state.isUsual && drafted == nil, let placed {
        // Fast path for the most frequent case: the closure itself, and not one of its sources, has read the changed
        // key.
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
    let (box, present) = (record.borrowedBox, drafted ?? placed.borrowedBox)
    if !(box == present) {
      drafted = cell.use { cell in
        box.use { cell.draftState(in: $0) }
        return cell.changes.pointee.hasDirty ? box : nil
      }
    }
    let mustRefresh = state.withLock { state in
      guard state.isPlaced else { return false }
      let isOther = state.followed !== record.reads.all
      follow(record.reads.all, &state)
      state.placed = record
      // The record is checked again, since a substance of another flux may have committed a change before the node was
      // registered with it.
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

  /// Stores a record that was computed in the draft as the newest record of the node, unless the node is closed. The
  /// result is `false` if the node has no base value, or a tracked closure has read another value. The result is also
  /// `false` if the value depends on another list of keys than the node is registered with. Then the caller must set
  /// `placed`, the record of the substance's value, if the node still has a base value. Otherwise `placed` is set, too,
  /// unless the node is closed.
  private final func take(_ record: DerivedRecord) -> Bool {
    // The replaced records are released while no lock is held.
    var (last, placed) = (Optional(record), Optional(record))
    var isSpare = false
    let isTaken = state.withLock { state in
      state.computing -= 1
      if state.isClosed { return true }
      swap(&state.cached, &last)
      if !state.isPlaced || state.isSeenElsewhere || state.followed.serial != record.serial { return false }
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

  /// Sets the base value of the node's substance to the node's value at a consistent read, unless a base value is set.
  final func begin(at moment: ConsistentRead) {
    _ = tryPlace(moment.record(of: self), at: nil)
    // A source in another flux may have changed before the node was registered there, so it is checked again.
    refreshLater()
  }
}

extension FluxOperation {
  /// Returns an operation that notifies the observers of a derived value of a change that they have missed. Reasons
  /// are: a source belongs to another flux, the node was registered during an operation, or a tracked closure has read
  /// another value.
  static func refresh(_ node: AnyDerivedNode) -> FluxOperation {
    let identity = OperationIdentity(.refresh, at: node.location)
    // The operation is kept when the flux is purged: no user has submitted it, and without it an observer would miss a
    // change.
    return FluxOperation(identity, isPurged: false, in: node.flux) { transaction in
      node.state.withLock { $0.isRefreshing = false }
      Derivation.of(node.flux).refresh(node, in: transaction)
      return .commitCompared
    }
  }
}
