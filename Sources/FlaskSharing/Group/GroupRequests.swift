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
  private var pause = Pause.none
  /// The number of pauses, which distinguishes their ends.
  private var pauses = 0

  /// The reason why saves wait.
  private enum Pause: Hashable, Sendable {
    case none
    /// A save has failed, and is tried again after a delay. Until then only callers without a timeout, or whose timeout
    /// has passed, are served. The next failure ends their wait.
    case failed(Int)
    /// A save can't begin now, since an arrival is being published. Nothing is saved.
    case postponed(Int)
  }

  var mustSave: Bool { isSaveWanted || !savers.isEmpty || !transactions.isEmpty || !released.isEmpty }

  /// Whether there is something to save now.
  private var isSaveDue: Bool {
    switch pause {
    case .none: mustSave
    case .failed: savers.contains { !$0.isPatient } || transactions.contains { !$0.isPatient }
    case .postponed: false
    }
  }

  private var isDue: Bool { isReadWanted || !readers.isEmpty || isSaveDue }

  /// - Returns: whether the thread must be asked to work.
  mutating func schedule() -> Bool {
    if isScheduled || isEnded || !isDue { return false }
    isScheduled = true
    return true
  }

  /// Removes and returns the requests that are due. The result is `nil` if none is; the worker then stops until
  /// `schedule()` returns `true`.
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
    pause = .none
  }

  /// A save has failed, and is tried again.
  ///
  /// - Returns: the seconds after which `wake` is to be called, and its argument.
  mutating func didFail(_ later: GroupRequests) -> (delay: Double, number: Int) {
    failureCount += 1
    // From a fifth of a second to five seconds, with jitter, so that many processes do not come at once.
    let delay = min(5.0, 0.1 * Double(1 << min(failureCount, 6))) * Double.random(in: 0.5...1)
    putBack(later)
    pause = .failed(pauses)
    return (delay, pauses)
  }

  /// A save can't begin now. Nothing is saved for a while.
  ///
  /// - Returns: the argument with which `wake` is to be called.
  mutating func postpone(_ later: GroupRequests) -> Int {
    putBack(later)
    pause = .postponed(pauses)
    return pauses
  }

  private mutating func putBack(_ later: GroupRequests) {
    pauses += 1
    savers += later.savers
    transactions += later.transactions
    released += later.released
    isSaveWanted = true
  }

  /// The time to wait is over.
  ///
  /// - Parameter number: that of the pause, which may have ended before.
  mutating func wake(_ number: Int) {
    if pause == .failed(number) || pause == .postponed(number) { pause = .none }
  }

  /// The database was reached. If it could not be reached before, what waits is tried again.
  mutating func didRead() {
    defer { readError = nil }
    if readError != nil, case .failed = pause { pause = .none }
  }

  /// Removes and returns the callers whose wait is over. The states contain the commit they wait for, or will never
  /// contain it: a part is unreadable, or the database has another history now.
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
