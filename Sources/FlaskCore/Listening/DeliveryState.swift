/// The pending commits of a listener, and whether a thread delivers them. The events are functions that return what the
/// queue must do (`DeliveryQueue`, which guards this state by its lock).
///
/// ```text
///             begin(), or append() during a direct delivery
///   none ─────────────────────────────────────────────────► inProgress
///     ▲   next(): nothing is pending; putBack(): a task goes on  │
///     └──────────────────────────────────────────────────────────┘
/// ```
/// A drop ends no delivery: the delivery in progress finds none of the dropped commits. A commit that was taken from
/// the queue before a drop is not delivered after it, since the number of drops differs (`listener(since:)`).
struct DeliveryState<Pending> {
  private enum Delivery { case none, inProgress }

  /// The task that is to deliver the pending commits.
  private enum Scheduling: Equatable {
    case none
    case task(TaskPriority)
  }

  private enum Backlog { case unreported, reported }

  /// The present listener; `nil` if there is none.
  private(set) var listener: Listener?
  private var pending = FIFOQueue<Pending>()
  private var delivery = Delivery.none
  private var scheduling = Scheduling.none
  private var backlog = Backlog.unreported
  /// The number of drops.
  private var dropCount = 0

  var count: Int { pending.count }
  var isEmpty: Bool { pending.isEmpty }
  /// Whether a thread delivers, except in a direct delivery during which nothing was appended. The thread releases the
  /// copies of states at the end of its delivery.
  var isDelivering: Bool { delivery == .inProgress }

  func contains(where isWanted: (Pending) -> Bool) -> Bool { pending.contains(where: isWanted) }

  // MARK: The listener

  /// Sets the listener. If it is `nil`, the pending commits are dropped.
  ///
  /// - Returns: the former listener and the dropped commits. The caller must release both without a lock.
  mutating func setListener(_ new: Listener?) -> (former: Listener?, dropped: [Pending]) {
    let former = listener
    listener = new
    guard let new else {
      // The next listener may have another isolation.
      scheduling = .none
      return (former, drop())
    }
    new.dropCount = dropCount
    // A task on the old isolation may start late, so `schedule` must schedule another one on the new isolation.
    if let former, !former.isolation.isSame(as: new.isolation) { scheduling = .none }
    return (former, [])
  }

  /// The present listener; `nil` if pending commits were dropped since `dropCount` was `count`.
  func listener(since count: Int) -> Listener? { dropCount == count ? listener : nil }

  /// The isolation of a listener was deallocated: drops all pending commits, unless another listener was set.
  ///
  /// - Returns: the dropped commits; `nil` if the listener is not the present one.
  mutating func drop(of gone: Listener?) -> [Pending]? { listener === gone ? drop() : nil }

  private mutating func drop() -> [Pending] {
    dropCount += 1
    return pending.removeAll()
  }

  // MARK: Waiting

  /// Whether commits for a listener are still delivered: none were dropped since it was set.
  func accepts(_ listener: Listener) -> Bool { listener.dropCount == dropCount }

  /// Queues a commit.
  ///
  /// - Parameters:
  ///   - isDirect: whether a delivery that takes no lock is in progress. This state knows of it from now on.
  ///   - budget: the number of pending commits that is a backlog.
  /// - Returns: whether a backlog must be reported, which happens once.
  mutating func append(_ commit: Pending, isDirect: Bool, budget: Int) -> Bool {
    if isDirect { delivery = .inProgress }
    pending.append(commit)
    if pending.count < budget || backlog == .reported { return false }
    backlog = .reported
    return true
  }

  /// Schedules a delivery of the pending commits.
  ///
  /// - Parameters:
  ///   - priority: that of the running task.
  ///   - evenDuringDelivery: whether to schedule a task although a delivery is in progress.
  /// - Returns: whether the caller must start a task: commits are pending, and no task of this priority or a higher one
  ///   is scheduled.
  mutating func schedule(_ priority: TaskPriority, evenDuringDelivery: Bool) -> Bool {
    if isDelivering && !evenDuringDelivery || pending.isEmpty { return false }
    if case .task(let scheduled) = scheduling, scheduled >= priority { return false }
    scheduling = .task(priority)
    return true
  }

  /// The scheduled task has begun, or can't begin, since its actor was deallocated.
  mutating func taskBegan() { scheduling = .none }

  // MARK: Delivering

  /// Begins a delivery.
  ///
  /// - Returns: whether the caller delivers: commits are pending, and no thread delivers.
  mutating func begin() -> Bool {
    if isDelivering || pending.isEmpty { return false }
    delivery = .inProgress
    return true
  }

  /// Takes the next commit, with the present listener and the number of drops. If no commit is pending, the delivery
  /// ends, and the result is `nil`.
  mutating func next() -> (commit: Pending, listener: Listener?, dropCount: Int)? {
    if let commit = pending.popFirst() { return (commit, listener, dropCount) }
    delivery = .none
    return nil
  }

  /// Ends the delivery, and puts back the commit that it took last, unless commits were dropped since.
  mutating func putBack(_ commit: Pending, since count: Int) {
    if dropCount == count { pending.prepend(commit) }
    delivery = .none
  }
}
