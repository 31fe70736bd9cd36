internal import Dispatch

/// The kind of an operation, its name or type, its source location, and who has submitted it.
package struct OperationIdentity: Sendable {
  package enum Kind: String, Sendable {
    case mix, chain, mixer, action, rollback, closure, arrival, refresh
    /// A replay installs states of a recording as the present states.
    case replay
    /// An operation after which the substances show a past moment, or the present again.
    case travel
  }

  package enum Origin: Sendable {
    case client
    /// Flask itself, as a consequence of another event. Examples are the refresh of a derived value, a state from an
    /// archive, and the status of a history. A purge keeps the operation; without it, a derived value, say, would stay
    /// outdated. Its loss at the exit of the process is not reported. During the exit, a state from an archive is
    /// accepted until archives are saved.
    case flask
    /// Flask itself, for what it has promised a client: the revert of an optimistic change. A purge keeps it, and its
    /// loss at the end of the process is reported, since the state is saved without it.
    case promise
  }

  package let kind: Kind
  /// The type of an action.
  package let type: Any.Type?
  /// The name of a mixer.
  package let name: String?
  package let place: SourcePlace
  package let origin: Origin

  package init(
    _ kind: Kind,
    type: Any.Type? = nil,
    name: String? = nil,
    at place: SourcePlace = SourcePlace(),
    by origin: Origin = .client
  ) {
    self.kind = kind
    self.type = type
    self.name = name
    self.place = place
    self.origin = origin
  }
}

/// The action or the mixer of an operation, as a value. An operation whose body is a client's closure has none.
package enum OperationContent: Sendable {
  case action(any Sendable)
  /// The type of the enum that defines the mixer, and the payload of the mixer.
  case mixer(Any.Type, [String: any Sendable]?)
}

/// The cause of an operation: the code that submitted it.
package struct OperationCause: Sendable {
  package enum Kind: Sendable {
    /// The code of the operation itself.
    case operation
    /// The handler of a reactor. The associated value is the type of the reactor's owner.
    case reaction(Any.Type)
    case observer
    /// An effect of a middleware. The associated location is that of the effect's registration.
    case effect(Any.Type, SourcePlace)
    /// A lock that the task holds by `withLock`, or that came with the operation.
    case lock(SourcePlace)
  }

  /// The number of the operation that is the direct cause; 0 if no traced operation is.
  package let operation: Int
  package let kind: Kind

  package init(operation: Int, kind: Kind) {
    self.operation = operation
    self.kind = kind
  }
}

/// When and why an operation was submitted.
package struct OperationSubmission: Sendable {
  /// In nanoseconds of the system's monotonic clock.
  package let time: UInt64
  package let cause: OperationCause?

  package init(time: UInt64, cause: OperationCause?) {
    self.time = time
    self.cause = cause
  }

  /// The current time of the monotonic clock on which all times of traces are measured.
  package static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }
}

extension OperationSubmission {
  /// This submission. If it has no cause, the lock becomes its cause.
  package func orCaused(by lock: FluxLock?) -> OperationSubmission {
    guard cause == nil, let lock else { return self }
    return OperationSubmission(time: time, cause: OperationCause(operation: 0, kind: .lock(lock.location)))
  }
}
