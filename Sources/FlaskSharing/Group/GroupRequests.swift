internal import Dispatch

/// The requests to a group, and when they are served.
struct GroupRequests: Sendable {
  /// A caller that waits until a commit has arrived.
  struct Follower: Sendable {
    let place: SharedPlace
    /// How often another history had been found when the caller began to wait.
    let restorations: Int
    let waiter: SharedWaiter<Void>
  }

  var isSaveWanted = false
  var isReadWanted = false
  var savers: [SharedWaiter<SharedPlace>] = []
  var readers: [SharedWaiter<SharedPlace>] = []
  var transactions: [any SharedTransaction] = []
  /// Parts whose substances were released.
  var released: [SharedPart] = []
  /// The callers that wait until a commit has arrived.
  var followers: [Follower] = []
  /// The failure of the last save, and of the last reading; `nil` if they succeeded.
  var saveError: SharingError?
  var readError: SharingError?
  /// The rows that were not saved, as they were reported last.
  var failures: [RecordKey: ArchiveError] = [:]
  var isEnded = false

  private var isScheduled = false
  /// The number of failures in succession.
  private var failureCount = 0
  /// Whether a failure is waited out: only callers that do not wait are served.
  private var isWaiting = false
  /// Whether nothing is saved until `wake()`.
  private var isPostponed = false

  var mustSave: Bool { isSaveWanted || !savers.isEmpty || !transactions.isEmpty || !released.isEmpty }

  /// Whether there is something to save now. While a failure is waited out, only callers that do not wait are served.
  private var isSaveDue: Bool {
    isPostponed
      ? false
      : isWaiting
        ? savers.contains { !$0.isPatient } || transactions.contains { !$0.isPatient }
        : mustSave
  }

  private var isDue: Bool { isReadWanted || !readers.isEmpty || isSaveDue }

  /// - Returns: whether the thread must be asked to work.
  mutating func schedule() -> Bool {
    if isScheduled || isEnded || !isDue { return false }
    isScheduled = true
    return true
  }

  /// Takes what is to be done now; `nil` if that is nothing. Then the thread rests.
  mutating func nextRound() -> GroupRequests? {
    guard isDue, !isEnded else {
      isScheduled = false
      return nil
    }
    var round = GroupRequests()
    round.isReadWanted = isReadWanted
    isReadWanted = false
    round.readers = readers
    readers = []
    if isSaveDue {
      round.isSaveWanted = isSaveWanted
      isSaveWanted = false
      round.savers = savers
      savers = []
      round.transactions = transactions
      transactions = []
      round.released = released
      released = []
    }
    return round
  }

  mutating func takeReleased() -> GroupRequests {
    var round = GroupRequests()
    round.released = released
    released = []
    return round
  }

  mutating func didSucceed() {
    failureCount = 0
    saveError = nil
    isWaiting = false
  }

  /// A save has failed, and is tried again.
  ///
  /// - Returns: the seconds after which `wake()` is to be called; `nil` if it will be called already.
  mutating func didFail(_ later: GroupRequests) -> Double? {
    failureCount += 1
    // From a fifth of a second to five seconds, with jitter, so that many processes do not come at once.
    let delay = min(5.0, 0.1 * Double(1 << min(failureCount, 6))) * Double.random(in: 0.5...1)
    return wait(later, for: delay)
  }

  /// A save can't begin now. Nothing is saved for a while.
  mutating func postpone(_ later: GroupRequests, for delay: Double) -> Double? {
    isPostponed = true
    return wait(later, for: delay)
  }

  private mutating func wait(_ later: GroupRequests, for delay: Double) -> Double? {
    savers += later.savers
    transactions += later.transactions
    released += later.released
    isSaveWanted = true
    defer { isWaiting = true }
    return isWaiting ? nil : delay
  }

  /// The time to wait is over.
  mutating func wake() {
    isWaiting = false
    isPostponed = false
    isSaveWanted = true
    isScheduled = true
  }

  /// Takes the callers that wait for no more than a place, and the callers that wait in vain.
  mutating func takeFollowers(_ reached: SharedPlace, _ restorations: Int, isUnusable: Bool) -> [Follower] {
    followers.removeAll { $0.waiter.isDone }
    func isServed(_ follower: Follower) -> Bool {
      isUnusable || follower.restorations != restorations || follower.place.incarnation != reached.incarnation
        || follower.place.number <= reached.number
    }
    let served = followers.filter(isServed)
    followers.removeAll(where: isServed)
    return served
  }
}
