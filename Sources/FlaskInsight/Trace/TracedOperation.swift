/// A commit of one substance. It is borrowed by a tracer for one call.
package struct TracedCommit: ~Copyable {
  package let subject: Subject
  package let old: UnsafeRawPointer
  package let new: UnsafeRawPointer
  let changes: UnsafeMutablePointer<ChangeSet>

  package var layout: StateLayout { subject.layout }
  /// Whether the commit is that of a derived value.
  package let isDerived: Bool

  package func forEachKey(_ body: (Int) -> Void) { changes.pointee.forEachKey(body) }
}

/// An operation in progress.
///
/// Each flux has one traced operation and reuses it, so that its lists keep their memory.
package struct TracedOperation: ~Copyable {
  /// The changed keys of one substance.
  package struct Change: Sendable {
    package let subject: Subject
    /// The first 64.
    package let firstKeys: UInt64
    /// The numbers of the changed keys from 64 on; `nil` if no such key changed.
    package let furtherKeys: [Int]?
    package let isDerived: Bool
  }

  /// A notification of one observer or reactor.
  package struct Notification: Sendable {
    /// The type of the reactor's owner; `nil` for an observer.
    package let ownerType: Any.Type?
    /// The number of the change.
    package let change: Int
    /// The observed key; -1 for everything.
    package let key: Int
    /// How long it took, in nanoseconds.
    package let duration: UInt64
    /// Whether the notification is delivered later, on the listener's isolation. In this case the duration is that of
    /// queueing the commit.
    package let isLater: Bool
  }

  package internal(set) var number = 0
  package internal(set) var identity = OperationIdentity(.mix)
  /// The action or the payload; `nil` if no tracer wants commits.
  package internal(set) var content: OperationContent?
  package internal(set) var submission = OperationSubmission(time: 0, cause: nil)
  /// The time at which the operation began, in nanoseconds of the system's monotonic clock. If the operation never
  /// began, it is the time of the submission.
  package internal(set) var begun: UInt64 = 0
  package internal(set) var ended: UInt64 = 0
  package internal(set) var isolation = ActorIdentity.none
  /// The outcome, without the names of keys: `changes` has these.
  package internal(set) var outcome = FluxOutcome.unchanged
  package internal(set) var changes: [Change] = []
  package internal(set) var notifications: [Notification] = []
}
