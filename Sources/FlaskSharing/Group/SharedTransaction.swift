internal import FlaskEntities
internal import FlaskPrimitives

/// A closure that is performed on the merged state of a group, in its transaction.
protocol SharedTransaction: AnyObject, Sendable {
  /// The key of a transaction that must be performed once; else `nil`.
  var token: String? { get }
  /// The lease under which it is performed.
  var fence: Fence? { get }
  var state: SharedTransactionState { get set }
  /// The token of the commit in which it was performed last.
  var attempt: String? { get set }
  /// The parts that the closure changes.
  var parts: [SharedPart] { get }

  /// Performs the closure.
  ///
  /// - Parameter states: the states of its parts, in their order.
  /// - Returns: the new states; `nil` if the closure has thrown, or must not be performed.
  func perform(_ states: [PinnedState]) -> [PinnedState]?

  /// Whether the transaction is tried again after a failure: it has a timeout, which has not passed. Otherwise the
  /// first failure ends it.
  var isPatient: Bool { get }
  /// Whether the task that waits for it was cancelled, or its time is over.
  var isAbandoned: Bool { get }

  /// It is not performed, or its changes can't be written.
  func fail(_ error: any Error)

  /// The transaction of the group is done.
  func didCommit(at place: SharedPlace)
  func didFail(_ error: any Error)
}

/// A transaction with the closure of a client.
final class ClosureTransaction<Result: Sendable>: SharedTransaction {
  typealias Performed = (result: Result?, place: SharedPlace)

  private struct Outcome {
    var state = SharedTransactionState.waiting
    var result: Result?
    var error: (any Error)?
    var attempt: String?
  }

  let token: String?
  let fence: Fence?
  let parts: [SharedPart]
  let waiter: SharedWaiter<Performed>
  private let body: @Sendable ([UnsafeMutableRawPointer]) throws -> Result
  private let outcome = Lock(Outcome())

  /// - Parameter body: gets the addresses of copies of the states, in the order of the parts.
  init(
    _ parts: [SharedPart],
    once key: String?,
    under fence: Fence? = nil,
    atMost limit: Duration?,
    _ body: @escaping @Sendable ([UnsafeMutableRawPointer]) throws -> Result
  ) {
    self.parts = parts
    token = key.map { "once:" + $0 }
    self.fence = fence
    waiter = SharedWaiter(atMost: limit)
    self.body = body
  }

  var isPatient: Bool { waiter.isPatient }
  var isAbandoned: Bool { waiter.isDone }

  func fail(_ error: any Error) {
    outcome.withLockReleasing { outcome in
      defer { (outcome.result, outcome.error, outcome.state) = (nil, error, .failed) }
      return (outcome.result, outcome.error)
    }
  }

  var state: SharedTransactionState {
    get { outcome.withLock { $0.state } }
    set { outcome.withLock { $0.state = newValue } }
  }

  var attempt: String? {
    get { outcome.withLock { $0.attempt } }
    set { outcome.withLock { $0.attempt = newValue } }
  }

  func perform(_ states: [PinnedState]) -> [PinnedState]? {
    let copies = states.map { state in
      let box = state.box.copy()
      box.pin()
      return PinnedState(box)
    }
    do {
      let result = try body(copies.map(\.box.address))
      outcome.withLockReleasing { outcome in
        defer { (outcome.result, outcome.error) = (result, nil) }
        return (outcome.result, outcome.error)
      }
      return copies
    } catch {
      fail(error)
      return nil
    }
  }

  func didCommit(at place: SharedPlace) {
    let outcome = outcome.withLock { $0 }
    switch outcome.state {
    case .performed, .done: waiter.resume(.success((outcome.result, place)))
    case .found: waiter.resume(.success((nil, place)))
    case .failed, .waiting:
      waiter.resume(.failure(outcome.error ?? SharingError.refused(reason: "the states can't be used")))
    }
  }

  func didFail(_ error: any Error) { waiter.resume(.failure(error)) }
}

enum SharedTransactionState: Hashable, Sendable {
  case waiting
  /// The closure was performed, in the last attempt.
  case performed
  /// It was performed by an attempt of this process whose answer was lost.
  case done
  /// An earlier transaction with this key was found.
  case found
  /// The closure has thrown, or its parts can't be used.
  case failed
}

extension GroupSession {
  /// Performs the closures, one after another, except those that have failed.
  ///
  /// - Returns: the merged states with their changes, of all parts; empty if no closure was performed.
  func perform(
    _ transactions: [any SharedTransaction],
    _ pins: [String: Pin],
    _ parts: [String: SharedPart],
    _ versions: [String: PartVersions],
    _ tail: RecordTail
  ) -> [String: StateOutline] {
    var drafts: [String: StateOutline] = [:]
    for (key, pin) in pins {
      guard let part = parts[key], let versions = versions[key] else { continue }
      if case .unreadable = versions.presence { continue }
      drafts[key] = try? part.merged(base: pin.shadow, mine: pin.outline, theirs: versions.truth, coding)
    }
    var found = Set(tail.found.keys)
    for transaction in transactions where transaction.state != .failed && transaction.state != .done {
      if let own = transaction.attempt, tail.found[own] != nil {
        transaction.state = .done
        continue
      }
      if let token = transaction.token, found.contains(token) {
        transaction.state = .found
        continue
      }
      if transaction.isAbandoned {
        transaction.fail(CancellationError())
        continue
      }
      if let fence = transaction.fence, tail.leases[fence.name] != fence {
        transaction.fail(SharingError.leaseLost(name: fence.name))
        continue
      }
      perform(transaction, &drafts)
      if transaction.state == .performed, let token = transaction.token { found.insert(token) }
    }
    return transactions.contains { $0.state == .performed } ? drafts : [:]
  }

  private func perform(_ transaction: any SharedTransaction, _ drafts: inout [String: StateOutline]) {
    do throws(ArchiveError) {
      var states: [PinnedState] = []
      for part in transaction.parts {
        guard let draft = drafts[part.key] else {
          throw .refused(reason: "the part \(part.key) can't be read, or is no member of the group any more")
        }
        states.append(try part.state(of: draft))
      }
      guard let changed = transaction.perform(states) else { return }
      for (part, state) in zip(transaction.parts, changed) { drafts[part.key] = try part.outline(of: state) }
      transaction.state = .performed
    } catch {
      transaction.fail(error)
    }
  }
}
