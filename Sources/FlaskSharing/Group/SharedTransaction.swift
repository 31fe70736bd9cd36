internal import FlaskEntities
internal import FlaskPrimitives

/// A closure that is performed on the merged state of a group, in its transaction.
protocol SharedTransaction: AnyObject, Sendable {
  /// The key of a transaction that must be performed once; else `nil`.
  var token: String? { get }
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

  /// Whether it waits for longer than the first failure.
  var isPatient: Bool { get }

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
  let parts: [SharedPart]
  let waiter: SharedWaiter<Performed>
  private let body: @Sendable ([UnsafeMutableRawPointer]) throws -> Result
  private let outcome = Lock(Outcome())

  /// - Parameter body: gets the addresses of copies of the states, in the order of the parts.
  init(
    _ parts: [SharedPart],
    once key: String?,
    atMost limit: Duration?,
    _ body: @escaping @Sendable ([UnsafeMutableRawPointer]) throws -> Result
  ) {
    self.parts = parts
    token = key.map { "once:" + $0 }
    waiter = SharedWaiter(atMost: limit)
    self.body = body
  }

  var isPatient: Bool { waiter.isPatient }

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
      outcome.withLockReleasing { outcome in
        defer { (outcome.result, outcome.error, outcome.state) = (nil, error, .failed) }
        return (outcome.result, outcome.error)
      }
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
  /// Performs the closures, one after another.
  ///
  /// - Returns: the merged states with their changes, of all parts that have something pending or were named; `nil` if
  ///   there is no closure.
  func perform(
    _ attempt: Attempt,
    _ pins: [String: Pin],
    _ versions: [String: PartVersions],
    _ tail: RecordTail
  ) throws -> [String: StateOutline]? {
    let transactions = attempt.transactions
    if transactions.isEmpty { return nil }
    var drafts: [String: StateOutline] = [:]
    for (key, pin) in pins {
      guard let part = members.all[key], let truth = versions[key]?.truth else { continue }
      drafts[key] = try part.merged(base: pin.shadow, mine: pin.outline, theirs: truth, coding)
    }
    for transaction in transactions {
      if let own = transaction.attempt, tail.found[own] != nil {
        transaction.state = .done
        continue
      }
      if let token = transaction.token, tail.found[token] != nil {
        transaction.state = .found
        continue
      }
      do throws(ArchiveError) {
        var states: [PinnedState] = []
        for part in transaction.parts {
          guard let draft = drafts[part.key] else {
            throw .refused(reason: "\(part.key) is no member of the group, or can't be read")
          }
          states.append(try part.state(of: draft))
        }
        guard let changed = transaction.perform(states) else { continue }
        var outlines: [String: StateOutline] = [:]
        for (part, state) in zip(transaction.parts, changed) {
          outlines[part.key] = try part.outline(of: state)
        }
        drafts.merge(outlines) { $1 }
        transaction.state = .performed
      } catch {
        transaction.state = .failed
        attempt.failures[RecordKey(part: transaction.parts.first?.key ?? "")] = error
      }
    }
    return drafts
  }
}
