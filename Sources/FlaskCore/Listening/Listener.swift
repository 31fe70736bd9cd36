internal import Synchronization

/// A reactor or an observer as its substances see it: a handler and the isolation it runs on.
///
/// The fields that a delivery reads are constant or atomic, so that it takes no lock. A reactor whose handler is set
/// again, or that is bound again, gets a new listener.
///
/// `@unchecked Sendable`:
/// - Isolation: the handler is only called on `isolation`.
/// - Invariant: `dropCount` is set before other threads see the listener.
/// - If violated: a data race in client code.
package final class Listener: @unchecked Sendable {
  private enum Phase {
    /// The listener is active; how it is notified depends on its isolation, its queue and its start.
    static var listening: UInt8 { 0 }
    /// Another listener of the reactor has replaced this listener.
    static var replaced: UInt8 { 1 }
    static var removed: UInt8 { 2 }
    /// The listener is active, and has neither an isolation nor an initial state: the most common case (fast path).
    static var listeningHere: UInt8 { 3 }
  }

  let isolation: HandlerIsolation
  /// The queue of pending commits, shared with the listeners that replace this one. `nil` for an observer with neither
  /// an isolation nor an initial state, which never has pending commits.
  let queue: DeliveryQueue?
  /// The type of its owner, for messages.
  let ownerType: Any.Type?
  /// Called when the actor on which the handler runs was deallocated, so that the handler cannot be notified any more.
  private let isolationIsGone: (() -> Void)?
  /// Called when the substance is deallocated.
  private let subjectIsGone: (() -> Void)?
  /// The state with which the listener starts; `nil` if it starts with the next commit.
  private let start: StartingState?
  private let hasStart: Bool
  /// The function that is called with each commit. It is not called if the listener is silent. A reactor without a
  /// handler has a silent listener, which keeps the reactor's position in the order.
  let handle: (Commit) -> Void
  private let isSilent: Bool
  /// `true` for an observer with neither an isolation nor an initial state. No commit is ever queued for it, and no
  /// other listener replaces it.
  private let isPlain: Bool
  private let isIsolated: Bool
  private let phase: Atomic<UInt8>
  /// The index of this listener in the list to which it was added last. A search for the listener starts there.
  private let lastPlace = Atomic<Int>(0)

  /// The value of `dropCount` in the queue when this listener was set. If the queue's count differs later, its pending
  /// commits have been dropped, and this listener gets no further commit. Set under the lock of the queue, before the
  /// listener is added to a list.
  nonisolated(unsafe) var dropCount = 0

  var place: Int { lastPlace.load(ordering: .relaxed) }
  func setPlace(_ index: Int) { lastPlace.store(index, ordering: .relaxed) }

  /// - Parameters:
  ///   - isSilent: `true` for a listener whose `handle` is not called. It keeps the position of a reactor without a
  ///     handler, or only waits for the deallocation of the substance.
  ///   - handle: the function to call with each commit.
  ///   - queue: the queue of the reactor; `nil` for an observer, which makes a queue if it needs one.
  ///   - start: the initial state; the listener is notified of the commits after this state.
  package init(
    isSilent: Bool = false,
    _ handle: @escaping (Commit) -> Void = { _ in },
    isolation: HandlerIsolation,
    queue: DeliveryQueue? = nil,
    ownerType: Any.Type? = nil,
    isolationIsGone: (() -> Void)? = nil,
    start: StartingState? = nil,
    subjectIsGone: (() -> Void)? = nil
  ) {
    self.isolation = isolation
    self.start = start
    hasStart = start != nil
    self.subjectIsGone = subjectIsGone
    self.ownerType = ownerType
    self.isolationIsGone = isolationIsGone
    isIsolated = !isolation.isNone
    self.queue = queue ?? (isIsolated || start != nil ? DeliveryQueue() : nil)
    self.handle = handle
    self.isSilent = isSilent
    let isHere = !isIsolated && !isSilent && start == nil
    isPlain = isHere && queue == nil
    phase = Atomic(isHere ? Phase.listeningHere : Phase.listening)
    if queue == nil { self.queue?.setCurrent(self) }
  }

  /// Whether it has not been retired.
  var isListening: Bool {
    let phase = phase.load(ordering: .acquiring)
    return phase == Phase.listening || phase == Phase.listeningHere
  }

  /// `true` for an active observer with neither an isolation nor an initial state. The performing thread calls it at
  /// once.
  @inline(__always)
  package var isListeningHere: Bool { isPlain && phase.load(ordering: .acquiring) == Phase.listeningHere }

  /// Whether the listener's handler is called with commits: it is active and not silent.
  var isNotified: Bool { !isSilent && isListening }

  var isRemoved: Bool { phase.load(ordering: .acquiring) == Phase.removed }

  /// The listener that replaced this one; this listener if none did.
  var present: Listener {
    var present = self
    while present.isReplaced, let next = present.queue?.current(since: present.dropCount) { present = next }
    return present
  }

  /// Whether another listener of the reactor has replaced this one.
  var isReplaced: Bool { phase.load(ordering: .acquiring) == Phase.replaced }

  /// Marks this listener as replaced. Its successor in the reactor gets the pending commits, and a commit in delivery
  /// that has not reached this listener yet.
  func retireForAnother() { phase.store(Phase.replaced, ordering: .releasing) }

  /// Ends all deliveries to the listener, even the delivery in progress.
  ///
  /// - Returns: `false` if the listener had been removed before.
  @discardableResult
  func retire() -> Bool { phase.exchange(Phase.removed, ordering: .acquiringAndReleasing) != Phase.removed }

  /// A new, active listener with the handler and the isolation of this one.
  func renewed() -> Listener {
    Listener(
      isSilent: isSilent,
      handle,
      isolation: isolation,
      queue: queue,
      ownerType: ownerType,
      isolationIsGone: isolationIsGone,
      start: start,
      subjectIsGone: subjectIsGone
    )
  }

  // MARK: Notifying it

  /// Receives a commit from the performing thread. Handles the commit at once if that thread is on the listener's
  /// isolation, and no earlier commit is pending or in delivery. Otherwise queues the commit. A removed or silent
  /// listener drops the commit. A replaced listener passes the commit to its successor.
  @inline(__always)
  package func receive(_ commit: Commit, from callerIsolation: ActorIdentity) {
    if phase.load(ordering: .acquiring) == Phase.listeningHere && isIdle {
      handle(commit)
    } else {
      receiveSlowPath(commit, from: callerIsolation)
    }
  }

  /// `true` if no commit is pending for this listener, or in delivery to it.
  @inline(__always)
  private var isIdle: Bool { queue.map { UnretainedReference($0).use { $0.isIdle } } ?? true }

  @inline(never)
  private func receiveSlowPath(_ commit: Commit, from callerIsolation: ActorIdentity) {
    if isPlain && isListening { return handle(commit) }
    if isSilent || !isListening { return receiveAfterReplacement(commit, from: callerIsolation) }
    if hasStart, !(start?.comesBefore(commit) ?? true) { return }
    // The queue is used without being retained: the listener retains it, and the calling delivery retains the listener.
    queue.map { UnretainedReference($0) }?.use { queue in
      if !isIsolated && queue.isIdle {
        handle(commit)
      } else if !isolation.isCurrent(callerIsolation: callerIsolation) {
        if isolation.actor != nil {
          queue.append(commit, for: self)
          queue.schedule(isolation)
        } else if isListening {
          isolationIsGone?()
        } else {
          receiveAfterReplacement(commit, from: callerIsolation)
        }
      } else if isIsolated && queue.beginDirectly() {
        handle(commit)
        queue.endDirectly(callerIsolation: callerIsolation)
      } else {
        // Pending commits come first.
        queue.append(commit, for: self)
        queue.deliverHere(callerIsolation: callerIsolation)
      }
    }
  }

  /// Performs `body` instead of the handler if the calling code is on the listener's isolation and the listener has no
  /// earlier commit pending.
  ///
  /// - Returns: whether `body` was performed; if not, call `receive`.
  package func performHere(callerIsolation: ActorIdentity, _ body: () -> Void) -> Bool {
    guard isIsolated, !isSilent, !hasStart, let queue,
      phase.load(ordering: .acquiring) == Phase.listening,
      isolation.isCurrent(callerIsolation: callerIsolation),
      queue.beginDirectly()
    else { return false }
    body()
    queue.endDirectly(callerIsolation: callerIsolation)
    return true
  }

  /// Passes the commit to the listener that replaced this one while the commit was delivered. If the reactor was
  /// unbound instead, the commit is dropped.
  @inline(never)
  private func receiveAfterReplacement(_ commit: Commit, from callerIsolation: ActorIdentity) {
    guard phase.load(ordering: .acquiring) == Phase.replaced else { return }
    queue?.current(since: dropCount)?.receive(commit, from: callerIsolation)
  }

  /// Returns a handler that passes the addresses of the old and the new state to `body`. The addresses stay valid
  /// during the call: on the notifying thread nothing changes the states, and a pending commit is retained.
  package static func states(_ body: @escaping (UnsafeRawPointer, UnsafeRawPointer) -> Void) -> (Commit) ->
    Void
  {
    { body($0.oldAddress, $0.newAddress) }
  }

  /// Handles a commit that was queued, unless the listener is silent. The queue calls this on the listener's isolation.
  func handleWaiting(_ commit: Commit) { if !isSilent { handle(commit) } }

  func isolationDidGo() { isolationIsGone?() }

  /// Called when the substance was deallocated; no lock is held then.
  func subjectDidGo() { subjectIsGone?() }
}
