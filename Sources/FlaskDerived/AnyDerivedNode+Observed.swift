internal import Dispatch
internal import FlaskPrimitives
internal import Synchronization

// Notifies the observers and tracked closures of a derived value through a substance whose state is the derived value.
//
// The derived value has a node, which is registered with its sources from its first observer on. Adding an observer
// does not return until the substance has a base value, with which the next value is compared (`DerivedState.Phase`).
// One of two threads sets the base value, whichever comes first. One is the thread that adds the observer. It sets the
// base value when a computed value is known to be right while the node is registered. The other is the performer of the
// home flux, before it commits a change of a source. From then on only the performer commits to the substance, in
// operations.
extension AnyDerivedNode {
  /// Made when it is first requested.
  final var anySubstance: AnySubstance? {
    if let made = notifying.load(ordering: .acquiring) { return made.object }
    let record = record()
    guard let new = makeSubstance(record.box).map({ UnretainedReference.owned($0) }) else { return nil }
    let isFirst = state.withLock { state in
      if notifying.load(ordering: .acquiring) != nil { return false }
      state.substanceMade(with: record)
      notifying.store(new, ordering: .releasing)
      return true
    }
    if !isFirst { new.release() }
    return notifying.load(ordering: .acquiring)?.object
  }

  final var notifier: UnretainedReference<Cell>? {
    notifying.load(ordering: .acquiring)?.use { UnretainedReference($0.cell) }
  }

  /// Whether any observer or tracked closure must be notified of changes.
  private final var hasObservers: Bool {
    notifier?.use { !$0.listeners.isEmpty || $0.notices & Cell.Notice.tracking != 0 } ?? false
  }

  // MARK: From any thread

  /// Sets the base value, with which the next value of the derived value is compared, to the value of `record`, if an
  /// observer waits for it and `record` is right.
  ///
  /// - Parameter version: returns the published version of a substance with which the node is registered. `record` is
  ///   checked against it; `nil` if `record` need not be right.
  final func tryPlace(_ record: DerivedRecord, at version: ((Cell) -> Int)?) -> DerivedState.Placing {
    // Retained until the lock is free.
    var old: (DerivedRecord?, ReadList, [StateBox])?
    defer { withExtendedLifetime(old) {} }
    return state.withLock { state in
      if let refusal = state.refusal { return refusal }
      old = (state.placed, state.registered, [])
      register(with: record.reads.all, &state)
      if let version, record.check(version) != .right { return .outdated }
      if state.setBase(record) { notifier?.use { old?.2 = $0.install(record.box) } }
      return .placed
    }
  }

  /// Registers the node with the substances of `list`, and with no others.
  final func register(with list: ReadList, _ state: inout DerivedState) {
    if list === state.registered { return }
    // The caller retains the former list, which is released without a lock.
    list.register(self, except: state.registered)
    let former = state.replaceRegistered(with: list)
    former.unregister(self, except: list)
  }

  /// Ends the registration of the node with its sources.
  ///
  /// - Returns: the list of these. The caller must release the list while it holds no lock.
  final func unregister(_ state: inout DerivedState) -> ReadList {
    let former = state.registered
    register(with: .none, &state)
    return former
  }

  /// Called when a tracked closure has read a value of the derived value. If the node's substance, which notifies the
  /// closure, has another value, a refresh is requested, unless one is pending. The refresh brings the substance up to
  /// date and notifies the closure.
  final func trackedClosureRead(_ record: DerivedRecord) {
    let mustRefresh = state.withLock { $0.trackedClosureRead(record) }
    // The refresh is requested on another thread, since a read must not perform operations.
    if mustRefresh { DispatchQueue(label: "Flask.derived").async { self.refresh() } }
  }

  /// Requests an operation that refreshes the derived value, if an operation of `performed` has committed a change
  /// without refreshing it. This happens if the node was registered during that operation. If `performed` is the node's
  /// flux, the refresh is its next operation.
  ///
  /// - Parameter performed: the flux of the operation that committed the change.
  final func refreshIfBehind(in performed: Flux) {
    if !state.withLock({ state in state.isBehind { $0.committedVersion } }) { return }
    if flux === performed {
      _ = flux.submitExclusively(.refresh(self), isolation: .none)
    } else {
      refreshLater()
    }
  }

  /// Submits an operation to the node's flux that refreshes the derived value, unless one is pending or the node is not
  /// registered with its sources.
  final func refreshLater() {
    if state.withLock({ $0.requestRefresh() }) { refresh() }
  }

  private final func refresh() { _ = flux.submit(.refresh(self), isolation: .none) }

  // MARK: By the performer of its flux

  enum Refreshed {
    /// The value is found. If it has changed, it is in the draft of the node's substance (`drafted`).
    case done
    /// The substance has no base value with which the new value could be compared.
    case noBase
  }

  /// Finds the value of the derived value at a consistent read. It is called again for the same operation if the read
  /// must be repeated. If the value has changed, it is written to the draft of the node's substance, and `drafted` is
  /// set. The caller then commits this draft, which notifies the observers.
  final func refresh(at moment: ConsistentRead) -> Refreshed {
    guard let cell = notifier else { return .done }
    let last: DerivedRecord
    let record: DerivedRecord
    switch decide(at: moment, in: cell) {
    case .nothing:
      return .done
    case .noBase:
      return .noBase
    case .compute(let placed):
      last = placed
      record = moment.compute(self, after: placed, in: cell)
      if store(record) { return .done }
    case .decide(let validity, let placed, let isAnotherRead):
      last = placed
      if isAnotherRead { mustNotifyTracked = true }
      record = moment.record(of: self, validity)
      if record === placed { return .done }
    }
    draft(record, after: last, in: cell)
    if place(record, at: moment) { refreshLater() }
    return .done
  }

  /// Called when the values of the operation are final, before they are published. Adds the node's substance to the
  /// operation if it has a draft.
  /// Tracked closures that have read another value are notified by the commit of a changed key. If no key has changed,
  /// since the value is equal to the value of which observers were last notified, they are notified here.
  final func refreshed(in drafts: OperationDrafts) {
    let isDrafted = drafted != nil
    drafted = nil
    let mustNotify = mustNotifyTracked
    mustNotifyTracked = false
    guard let cell = notifier else { return }
    let isChanged = isDrafted && cell.use { !$0.changes.pointee.isEmpty }
    if isDrafted { cell.use { drafts.append($0) } }
    if mustNotify && !isChanged { notifying.load(ordering: .acquiring)?.use { $0.didPublish(hasKeys: true) } }
  }

  /// Decides how the value at a consistent read is found. Ends the registration with the sources if there is no
  /// observer any more.
  private final func decide(
    at moment: ConsistentRead,
    in cell: UnretainedReference<Cell>
  ) -> DerivedState.RefreshStep {
    // Retained until the lock is free.
    var old: (ReadList, DerivedState.Ending, [StateBox])?
    defer { withExtendedLifetime(old) {} }
    return state.withLock { state in
      if !hasObservers, let ending = state.leave(hasDraft: drafted != nil) {
        old = (unregister(&state), ending, cell.use { $0.install(.none) })
      }
      return state.refreshing(
        hasDraft: drafted != nil,
        isComputing: { moment.isComputing(self) },
        version: { moment.version(of: $0) }
      )
    }
  }

  /// Stores `record`, whose value was computed in the draft of the node's substance.
  ///
  /// - Returns: whether the node needs nothing more. `false` if `record` must still be placed.
  private final func store(_ record: DerivedRecord) -> Bool {
    // The replaced records are released after the lock, since a release may run client code.
    var replaced: (DerivedRecord?, DerivedRecord?)
    let storing = state.withLock { $0.computed(record, replaced: &replaced) }
    switch storing {
    case .placed(let unread):
      unread?.clear()
      if let unread { spare = unread }
      return true
    case .unplaced: return false
    case .closed: return true
    }
  }

  /// Writes the value of `record` to the draft of the node's substance, if it differs from the value there.
  private final func draft(
    _ record: DerivedRecord,
    after last: DerivedRecord,
    in cell: UnretainedReference<Cell>
  ) {
    let box = record.borrowedBox
    if box == drafted ?? last.borrowedBox { return }
    drafted = cell.use { cell in
      box.use { cell.draftState(in: $0) }
      return cell.changes.pointee.hasDirty ? box : nil
    }
  }

  /// Makes `record` the one whose value the substance shows.
  ///
  /// - Returns: whether a source of another flux has changed before the node was registered with it.
  private final func place(_ record: DerivedRecord, at moment: ConsistentRead) -> Bool {
    var old: (DerivedRecord?, ReadList)?
    defer { withExtendedLifetime(old) {} }
    return state.withLock { state in
      old = (state.placed, state.registered)
      guard let dependsOnOthers = state.place(record) else { return false }
      register(with: record.reads.all, &state)
      // If the value now depends on other keys, its record is checked once more.
      return dependsOnOthers
        && record.check { moment.isHome($0) ? moment.version(of: $0) : $0.publishedVersion } != .right
    }
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
    return FluxOperation(identity, in: node.flux) { drafts in
      node.state.withLock { $0.refreshBegan() }
      Derivation.of(node.flux).refresh(node, in: drafts)
      return .commitCompared
    }
  }
}
