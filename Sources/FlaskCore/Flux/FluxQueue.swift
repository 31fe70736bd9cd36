internal import Dispatch
internal import FlaskPrimitives
internal import Synchronization

/// The queue of a flux, shared by all threads: `FluxQueueState` decides, and this serializes the requests to it.
///
/// An uncontended operation uses neither lock nor state: it takes the flux with one atomic instruction and returns it
/// with another (fast path). Any other request, during such an operation or not, takes the lock and enters the
/// uncontended operation into the state. From that point every thread takes the lock, until the flux is idle again.
///
/// ```text
///            beginUncontended                finishUncontended
///   idle ─────────────────────► uncontended ──────────────────► idle
///     │                              │
///     │ a request to the state       │ a request of another thread,
///     │                              │ or of the operation itself
///     ▼                              ▼
///   managed ◄────────────────────────┘
///     │ finish: the next operation, or, if the state is idle, ────► idle
/// ```
package final class FluxQueue: Sendable {
  private struct Guarded {
    var state = FluxQueueState<FluxOperation, FluxLock>(
      begins: { $0.leaveQueue() },
      isWithdrawn: { $0.queueing == .withdrawn }
    )
    /// Changes that were requested during an operation. A change of listeners is made before the operation notifies
    /// listeners, or after it has ended. A change whose `listeners` is `nil` is always made after the operation has
    /// ended.
    var changes: [(listeners: Listeners?, make: () -> Void)] = []
    /// The closures of the changes that were made during the operation in progress. They retain removed listeners until
    /// the operation ends.
    var made: [() -> Void] = []
    /// The semaphores of threads that wait until no operation is in progress.
    var idleWaiters: [DispatchSemaphore] = []
  }

  /// The phases of the queue: whether an operation is in progress, and whether the state includes that operation.
  private enum Phase {
    /// No operation is in progress, and the state is up to date.
    static var idle: UInt8 { 0 }
    /// One operation is in progress, but the state does not include it.
    static var uncontended: UInt8 { 1 }
    /// The state includes the operation in progress, and every request takes the lock.
    static var managed: UInt8 { 2 }
  }

  /// The number of operations that have published their drafts.
  let epoch = Atomic<Int>(0)
  /// The thread that notifies the listeners of the operation in progress; between operations, the thread that notified
  /// the listeners of the last one. Written before the first notification.
  let notifyingThread = Atomic<UInt>(0)
  private let hasChanges = Atomic<Bool>(false)
  private let phase = Atomic<UInt8>(Phase.idle)
  private let guarded = Lock(Guarded())
  private let traced = Atomic<Bool>(false)
  private let ending = Atomic<Bool>(false)
  private let closed = Atomic<Bool>(false)

  /// Whether operations are traced. Each operation checks this once, after it has begun.
  @inline(__always)
  package var isTraced: Bool { traced.load(ordering: .acquiring) }

  /// Starts or stops tracing for all operations that begin after this call. They see the change, since this function
  /// has released the atomic `phase` before the next operation acquires it.
  package func setTraced(_ isTraced: Bool) {
    guarded.withLock { guarded in
      manage(&guarded)
      traced.store(isTraced, ordering: .releasing)
      unmanage(&guarded)
    }
  }

  /// `true` once the process exits and new operations are rejected, except arrivals.
  var isEnding: Bool { ending.load(ordering: .acquiring) }

  /// Whether an operation that is submitted now is rejected. States that arrive from archives are accepted until
  /// archives are saved, since what was mixed before is saved with them.
  func refuses(_ operation: FluxOperation) -> Bool {
    isEnding && (operation.identity.kind != .arrival || closed.load(ordering: .acquiring))
  }

  /// Rejects new operations from this point: no caller finds the flux idle, and `Flux.refuseAtEnd(_:)` refuses
  /// operations that would be queued. Queued operations continue.
  ///
  /// - Parameter isLast: whether arrivals are rejected, too.
  func end(isLast: Bool = false) {
    decide { _ in
      if isLast { closed.store(true, ordering: .releasing) }
      ending.store(true, ordering: .releasing)
    }
  }

  /// Makes the flux busy if no operation is in progress or queued and no lock is held. Takes one atomic instruction;
  /// the `FluxQueueState` is not changed. It never succeeds in a consistent read: `Flux.admit(_:)` refuses the
  /// closure of a derived value, and `Flux.perform` suspends the read for all other code, such as a `deinit` of an
  /// old value.
  ///
  /// - Returns: whether the flux has become busy with the caller's operation.
  @inline(__always)
  package func beginUncontended() -> Bool {
    if CurrentReader.current != nil { return false }
    return phase.compareExchange(
      expected: Phase.idle,
      desired: Phase.uncontended,
      successOrdering: .acquiring,
      failureOrdering: .relaxed
    ).exchanged
  }

  /// Ends an operation that began by `beginUncontended()`, if no other request has reached the queue in the meantime.
  /// If this returns `false`, the caller must call `finish()` instead.
  @inline(__always)
  package func finishUncontended() -> Bool {
    phase.compareExchange(
      expected: Phase.uncontended,
      desired: Phase.idle,
      successOrdering: .releasing,
      failureOrdering: .relaxed
    ).exchanged
  }

  /// Ends the operation in progress, whether or not the flux was taken by the fast path.
  ///
  /// First, additions and removals of listeners are made that were deferred until now. The removed listeners are
  /// released without the lock, since that may run a `deinit` of client code. The operation is still in progress then,
  /// so operations submitted by such a `deinit` have to wait. A second pass makes the changes that were deferred during
  /// the release. It ends the operation before it releases anything. Otherwise a thread that changes listeners all the
  /// time could keep the operation in progress for ever.
  ///
  /// - Returns: the operation that the caller performs next; `nil` if there is none.
  func finish(isLastPass: Bool = false) -> FluxOperation? {
    if finishUncontended() { return nil }
    var made: [() -> Void] = []
    let next = guarded.withLock { guarded -> FluxOperation? in
      makeChanges(&guarded, atEnd: true)
      swap(&made, &guarded.made)
      if !made.isEmpty && !isLastPass { return nil }
      defer { unmanage(&guarded) }
      let next = guarded.state.finish()
      if next == nil {
        for waiter in guarded.idleWaiters { waiter.signal() }
        guarded.idleWaiters = []
      }
      return next
    }
    if made.isEmpty || isLastPass { return next }
    made = []
    return finish(isLastPass: true)
  }

  /// Calls `body` with the `FluxQueueState`, brought up to date, under the lock of the queue.
  package func decide<Result>(_ body: (inout FluxQueueState<FluxOperation, FluxLock>) -> Result) -> Result {
    guarded.withLock { guarded in
      manage(&guarded)
      defer { unmanage(&guarded) }
      return body(&guarded.state)
    }
  }

  /// A semaphore that is signalled when the flux is no longer busy: the operation in progress, and all queued
  /// operations that no lock suspends, have ended. The result is `nil` if no operation is in progress.
  func whenIdle() -> DispatchSemaphore? {
    guarded.withLock { guarded in
      manage(&guarded)
      defer { unmanage(&guarded) }
      guard guarded.state.isBusy else { return nil }
      let waiter = DispatchSemaphore(value: 0)
      guarded.idleWaiters.append(waiter)
      return waiter
    }
  }

  // MARK: Who listens

  /// The number of operations that have published their drafts.
  package var number: Int { epoch.load(ordering: .sequentiallyConsistent) }

  /// Changes the listeners of a substance: at once if no operation is in progress. Otherwise the change is made when
  /// the operation in progress has published its drafts, before it notifies listeners. A change that comes too late for
  /// that is made when the operation has ended. So a listener that is added before the notifications is notified of the
  /// operation; a listener added later is notified of the next operation. `change` runs under a lock, so it must not
  /// call client code.
  ///
  /// - Parameter listeners: `nil` for a change of something other than listeners, which is made when no operation is in
  ///   progress.
  package func change(_ listeners: Listeners?, _ change: @escaping () -> Void) {
    guarded.withLock { guarded in
      manage(&guarded)
      defer { unmanage(&guarded) }
      if !guarded.state.isBusy { return change() }
      guarded.changes.append((listeners, change))
      hasChanges.store(true, ordering: .sequentiallyConsistent)
    }
  }

  /// Changes the listeners of a deallocated substance at once, after the pending changes of these listeners.
  /// Precondition: the substance was deallocated, so that no operation reads its listeners.
  func changeAtOnce(_ listeners: Listeners, _ change: () -> Void) {
    guarded.withLockReleasing { guarded in
      let waiting = guarded.changes.filter { $0.listeners === listeners }
      guarded.changes.removeAll { $0.listeners === listeners }
      for change in waiting { change.make() }
      change()
      return waiting
    }
  }

  /// Counts an operation whose drafts have just been published, and adds and removes the listeners that were waiting
  /// for this. Called by the performing thread before it notifies the listeners.
  @inline(__always)
  func beginEpoch() {
    epoch.store(epoch.load(ordering: .relaxed) + 1, ordering: .releasing)
    notifyingThread.store(ThreadIdentity.current, ordering: .relaxed)
    // This load follows the publication of the drafts. So a thread that adds a listener concurrently sees the published
    // state, or this load sees that a listener is to be added.
    if !hasChanges.load(ordering: .sequentiallyConsistent) { return }
    guarded.withLock { makeChanges(&$0, atEnd: false) }
  }

  @inline(never)
  private func makeChanges(_ guarded: inout Guarded, atEnd: Bool) {
    for change in guarded.changes where atEnd || change.listeners != nil {
      change.make()
      guarded.made.append(change.make)
    }
    guarded.changes.removeAll { atEnd || $0.listeners != nil }
    hasChanges.store(false, ordering: .relaxed)
  }

  /// Brings the `FluxQueueState` up to date: records an operation in it that began without the lock.
  private func manage(_ guarded: inout Guarded) {
    if phase.exchange(Phase.managed, ordering: .acquiringAndReleasing) == Phase.uncontended {
      _ = guarded.state.beginAtOnce()
    }
  }

  private func unmanage(_ guarded: inout Guarded) {
    if guarded.state.isIdle && !isEnding { phase.store(Phase.idle, ordering: .releasing) }
  }
}
