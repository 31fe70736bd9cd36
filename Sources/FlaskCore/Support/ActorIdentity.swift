/// The actor to which submitting code claims to be isolated, if any. It is compared with the isolation of listeners.
///
/// The identity is all that is needed while the caller is on the actor, and costs nothing to pass on. It is a hint: a
/// closure that is not `Sendable` has the isolation of the place where it was written, and may run elsewhere.
@usableFromInline
package struct ActorIdentity: Equatable, Sendable {
  @usableFromInline let identifier: ObjectIdentifier?

  @inlinable
  package init(_ actor: (any Actor)?) { identifier = actor.map { ObjectIdentifier($0) } }

  package static let none = ActorIdentity(nil)
  package static let main = ActorIdentity(MainActor.shared)
}

/// Where a handler runs.
package enum HandlerIsolation {
  /// Wherever a commit is delivered: for a plain observer on the thread that performs the operation.
  case none
  case main
  /// The actor is not held, since it may be the owner, or hold it.
  case actor(UnretainedActor)

  /// The identity may outlive the actor. It is only compared with that of a caller, whose actor is alive.
  ///
  /// `@unchecked Sendable`:
  /// - Invariant: never written after `init`.
  /// - If violated: a data race.
  package final class UnretainedActor: @unchecked Sendable {
    private let reference: OwnerReference<AnyObject>
    /// Used only while the actor is held.
    private unowned(unsafe) let unheld: any Actor
    let identifier: ObjectIdentifier
    /// The executor as two words. `UnownedSerialExecutor` consists of one `Builtin.Executor`, which has two words. An
    /// actor has the same executor for its lifetime.
    private let executor: (UInt, UInt)
    /// `nil` where that cannot be checked: then the claim of the caller counts.
    private let isCurrentExecutor: RuntimeFunctions.IsCurrentExecutor?

    init(_ actor: any Actor) {
      reference = OwnerReference(actor)
      unheld = actor
      identifier = ObjectIdentifier(actor)
      executor = unsafeBitCast(actor.unownedExecutor, to: (UInt, UInt).self)
      isCurrentExecutor = RuntimeFunctions.isCurrentExecutor
    }

    /// The actor, while it lives.
    var actor: (any Actor)? {
      guard let object = reference.object else { return nil }
      return withExtendedLifetime(object) { unheld }
    }

    /// Whether the running code is isolated to the actor. Asked only by a caller that claims an isolation with the
    /// identifier of the actor. The caller retains its actor, which is this one as long as no other object can have
    /// that address.
    @inline(__always)
    fileprivate var isExecutorCurrent: Bool {
      if !reference.keepsAddress, reference.object == nil { return false }
      guard let isCurrentExecutor else { return true }
      return isCurrentExecutor(executor.0, executor.1, 0)
    }
  }

  package init(_ actor: (any Actor)?) {
    guard let actor else {
      self = .none
      return
    }
    self = actor === MainActor.shared ? .main : .actor(UnretainedActor(actor))
  }

  var isNone: Bool { if case .none = self { true } else { false } }

  /// Whether both name the same isolation, if the actor of either lives.
  func isSame(as other: HandlerIsolation) -> Bool {
    switch (self, other) {
    case (.none, .none), (.main, .main): true
    // Compared by identifiers, since comparing the actors would retain them.
    case (.actor(let a), .actor(let b)): a.identifier == b.identifier
    default: false
    }
  }

  /// The actor while it lives; also `nil` for `.none`.
  var actor: (any Actor)? {
    switch self {
    case .none: nil
    case .main: MainActor.shared
    case .actor(let unheld): unheld.actor
    }
  }

  /// Whether the running code is on the isolation. For the main actor the thread decides. For another actor the
  /// caller's claim decides, and is checked with the actor's executor.
  @inline(__always)
  func isCurrent(callerIsolation: ActorIdentity) -> Bool {
    switch self {
    case .none: true
    case .main: MainThread.isCurrent
    case .actor(let unheld): callerIsolation.identifier == unheld.identifier && unheld.isExecutorCurrent
    }
  }
}

extension HandlerIsolation {
  /// Whether the actor was deallocated, so that no handler can be notified.
  var isGone: Bool { if case .actor(let unheld) = self { unheld.actor == nil } else { false } }

  var isMain: Bool { if case .main = self { true } else { false } }

  /// Starts a task whose `body` first hops to the actor.
  ///
  /// For the main actor the task is in that actor's queue when this returns, where the system offers it. So code that
  /// awaits an operation on the main actor resumes after the handlers that the operation calls there.
  func enqueue(priority: TaskPriority, _ body: @escaping @Sendable () async -> Void) {
    if isMain, !MainThread.isCurrent,
      #available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *)
    {
      Task.immediate(priority: priority, operation: body)
    } else {
      Task(priority: priority, operation: body)
    }
  }
}
