/// Is told of each operation of a flux: of each commit before anybody else hears of it, and of the whole at its end.
///
/// Everything is called on the performing thread, with no lock held, while the operation is in progress: what a tracer
/// submits waits. It keeps nothing that it is lent.
package protocol FluxTracer: AnyObject, Sendable {
  /// Whether it wants to be told of commits.
  var wantsCommits: Bool { get }
  /// Whether it wants to be told of operations that begin.
  var wantsBeginnings: Bool { get }
  /// An operation begins, which is told only if `wantsBeginnings`: it has its number, its identity and its submission.
  func didBegin(_ operation: borrowing TracedOperation)
  /// A substance has a new state, and nobody has been told.
  func didCommit(_ commit: borrowing TracedCommit, in operation: borrowing TracedOperation)
  /// An operation has ended, or was dropped.
  func didEnd(_ operation: borrowing TracedOperation)
  /// An operation has to wait. Called by whoever submitted it.
  func didWait(_ operation: OperationIdentity, _ submission: OperationSubmission, in flux: Flux)
}

extension FluxTracer {
  package var wantsCommits: Bool { false }
  package var wantsBeginnings: Bool { false }
  package func didBegin(_ operation: borrowing TracedOperation) {}
  package func didCommit(_ commit: borrowing TracedCommit, in operation: borrowing TracedOperation) {}
  package func didWait(_ operation: OperationIdentity, _ submission: OperationSubmission, in flux: Flux) {}
}

/// What an operation is, and where it was written.
package struct OperationIdentity: Sendable {
  package enum Kind: String, Sendable {
    case mix, chain, mixer, action, rollback, closure, arrival, refresh
    /// The states of a recording are the present from here on.
    case replay
    /// The substances show a past moment, or the present again.
    case travel
  }

  package let kind: Kind
  /// The type of an action.
  package let type: Any.Type?
  /// The name of a mixer.
  package let name: String?
  package let place: SourcePlace

  package init(
    _ kind: Kind,
    type: Any.Type? = nil,
    name: String? = nil,
    at place: SourcePlace = SourcePlace()
  ) {
    self.kind = kind
    self.type = type
    self.name = name
    self.place = place
  }
}

/// What an operation was asked to do, if that is a value and not a closure.
package enum OperationContent: Sendable {
  case action(any Sendable)
  /// The type of the enum, and what travels with its case.
  case mixer(Any.Type, [String: any Sendable]?)
}

/// What an operation was submitted by.
package struct OperationCause: Sendable {
  package enum Way: Sendable {
    /// The code of the operation itself.
    case operation
    /// A reactor of an owner of some type.
    case reaction(Any.Type)
    case observer
    /// An effect of a middleware, registered at some place.
    case effect(Any.Type, SourcePlace)
    /// A lock: inside `withLock`, or because it came with it.
    case lock(SourcePlace)
  }

  /// The number of the operation that it goes back to; 0 if there is none.
  package let operation: Int
  package let way: Way

  package init(operation: Int, way: Way) {
    self.operation = operation
    self.way = way
  }
}

/// When and why an operation was submitted.
package struct OperationSubmission: Sendable {
  /// In nanoseconds of the system's monotonic clock.
  package let time: UInt64
  package let cause: OperationCause?
}

extension OperationSubmission {
  /// The same, caused by a lock unless it has a cause.
  package func orCaused(by lock: FluxLock?) -> OperationSubmission {
    guard cause == nil, let lock else { return self }
    let way = OperationCause.Way.lock(lock.location)
    return OperationSubmission(time: time, cause: OperationCause(operation: 0, way: way))
  }
}

/// A commit of one substance, lent to a tracer.
package struct TracedCommit: ~Copyable {
  package let subject: Subject
  package let old: UnsafeRawPointer
  package let new: UnsafeRawPointer
  let changes: UnsafeMutablePointer<ChangeSet>

  package var layout: StateLayout { subject.layout }
  /// Whether the keys of the commit were mixed by nobody, but follow from other states.
  package let isDerived: Bool

  package func forEachKey(_ body: (Int) -> Void) { changes.pointee.forEachKey(body) }
}

/// An operation as it goes on.
///
/// There is one for each flux, used again and again: its lists keep their memory.
package struct TracedOperation: ~Copyable {
  /// The changed keys of one substance.
  package struct Change: Sendable {
    package let subject: Subject
    /// The first 64.
    package let firstKeys: UInt64
    /// The others, by number; `nil` if there are none.
    package let furtherKeys: [Int]?
    package let isDerived: Bool
  }

  /// Somebody who was told.
  package struct Telling: Sendable {
    /// Whose reactor it is; `nil` for an observer.
    package let ownerType: Any.Type?
    /// The number of the change.
    package let change: Int
    /// What an observer observes; -1 for everything.
    package let key: Int
    /// How long it took, in nanoseconds.
    package let duration: UInt64
    /// Whether it is told later, on its own isolation: then the time is that of letting the commit wait.
    package let isLater: Bool
  }

  package internal(set) var number = 0
  package internal(set) var identity = OperationIdentity(.mix)
  /// What it was asked to do; `nil` if no tracer wants commits.
  package internal(set) var content: OperationContent?
  package internal(set) var submission = OperationSubmission(time: 0, cause: nil)
  /// In nanoseconds of the system's monotonic clock; the time of the submission if it never began.
  package internal(set) var begun: UInt64 = 0
  package internal(set) var ended: UInt64 = 0
  package internal(set) var isolation = ActorIdentity.none
  /// Without the names of keys, which `changes` has.
  package internal(set) var outcome = FluxOutcome.unchanged
  package internal(set) var changes: [Change] = []
  package internal(set) var tellings: [Telling] = []
}
