/// The identity of the actor to which submitting code claims to be isolated, if any. It is compared with the isolation
/// of listeners.
///
/// The actor itself is not needed while the caller is on the actor, and an identity costs nothing to pass on. The claim
/// is only a hint: a closure that is not `Sendable` has the isolation of the place where it was written, and may run
/// elsewhere.
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
  /// The handler runs on the thread that delivers the commit. For an observer with neither an isolation nor an initial
  /// state, this is the thread that performs the operation.
  case none
  case main
  /// The actor is not retained, since it may be the owner of the handler, or may retain the owner.
  case actor(UnretainedActor)

  /// A reference to an actor that does not retain the actor. It may outlive the actor, since its identity is only
  /// compared with the identity of a caller's actor, which is alive.
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
    /// The runtime's function that checks the current executor; `nil` if the runtime has none. Then a caller's claim to
    /// be on the actor is trusted.
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

    /// Whether the running code is isolated to the actor. Used only if the caller claims to be isolated to an actor
    /// with this identifier, and retains that actor. It is the same actor as long as no other object can have its
    /// address.
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

  /// Whether this isolation and `other` are the same. The answer is only valid while one of their two actors is alive.
  func isSame(as other: HandlerIsolation) -> Bool {
    switch (self, other) {
    case (.none, .none), (.main, .main): true
    // Compared by identifiers, since comparing the actors would retain them.
    case (.actor(let a), .actor(let b)): a.identifier == b.identifier
    default: false
    }
  }

  /// The actor; `nil` if it was deallocated, and for `.none`.
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

  /// Starts a task whose `body` hops to the actor first.
  ///
  /// On Linux, and on Apple's systems from 26 on, a task for the main actor is in the actor's queue when this function
  /// returns (`Task.immediate`). So code that awaits an operation on the main actor resumes after the handlers that the
  /// operation calls there. On other systems, and for other actors, the task may enter the queue later.
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
