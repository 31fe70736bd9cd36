#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// The actor that submitting code says it is isolated to, if any: what is compared with the isolation of those who
/// listen.
///
/// The identity is all that is needed while the caller is there, and costs nothing to hand on. It is a hint: a closure
/// that is not `Sendable` has the isolation of the place where it was written, and may run elsewhere.
@usableFromInline
struct ActorIdentity: Equatable, Sendable {
  @usableFromInline let identifier: ObjectIdentifier?

  @inlinable
  init(_ actor: (any Actor)?) { identifier = actor.map { ObjectIdentifier($0) } }

  static let none = ActorIdentity(nil)
  static let main = ActorIdentity(MainActor.shared)
}

/// Where a handler runs.
enum HandlerIsolation {
  /// On the thread that performs the operation.
  case none
  case main
  /// The actor is referred to weakly, since it may be the owner, or hold it.
  case actor(WeakActor)

  /// The identity outlives the actor: it is compared with that of a caller, who is alive.
  final class WeakActor: @unchecked Sendable {
    // `@unchecked` because of the weak reference, which is never written again.
    private(set) weak var actor: (any Actor)?
    let identifier: ObjectIdentifier

    init(_ actor: any Actor) {
      self.actor = actor
      identifier = ObjectIdentifier(actor)
    }
  }

  init(_ actor: (any Actor)?) {
    guard let actor else {
      self = .none
      return
    }
    self = actor === MainActor.shared ? .main : .actor(WeakActor(actor))
  }

  var isNone: Bool { if case .none = self { true } else { false } }

  /// Whether both name the same isolation.
  func isSame(as other: HandlerIsolation) -> Bool {
    switch (self, other) {
    case (.none, .none), (.main, .main): true
    case (.actor(let a), .actor(let b)): a.identifier == b.identifier && a.actor === b.actor
    default: false
    }
  }

  /// The actor, while it lives; `nil` for `.none`, too.
  var actor: (any Actor)? {
    switch self {
    case .none: nil
    case .main: MainActor.shared
    case .actor(let weak): weak.actor
    }
  }

  /// Whether the running code is there now. A caller's word is checked: on the main queue, and for other actors with
  /// their executor.
  @inline(__always)
  func isCurrent(hint: ActorIdentity) -> Bool {
    switch self {
    case .none: true
    case .main: MainThread.isCurrent
    case .actor(let weak): hint.identifier == weak.identifier && weak.isExecutorCurrent
    }
  }
}

extension HandlerIsolation.WeakActor {
  /// `swift_task_isCurrentExecutorWithFlags` of the concurrency runtime, with its reference to an executor in two
  /// words. Without flags it answers, where `assumeIsolated` would trap. It is looked up by name, since no public
  /// function asks for the executor of an actor that has none of its own; where it can't be found, as in a statically
  /// linked program, the caller's word counts.
  private typealias IsCurrentExecutor = @convention(c) (UInt, UInt, UInt) -> Bool
  private static let isCurrentExecutor: IsCurrentExecutor? = {
    #if canImport(Darwin)
      let everywhere = UnsafeMutableRawPointer(bitPattern: -2)
    #else
      let everywhere: UnsafeMutableRawPointer? = nil
    #endif
    // A C function of this type, by the runtime's headers, which are part of Swift's stable interface on Apple's
    // systems.
    return dlsym(everywhere, "swift_task_isCurrentExecutorWithFlags")
      .map { unsafeBitCast($0, to: IsCurrentExecutor.self) }
  }()

  /// Whether the running code is isolated to the actor, which must be alive.
  fileprivate var isExecutorCurrent: Bool {
    guard let ask = Self.isCurrentExecutor, let actor else { return Self.isCurrentExecutor == nil }
    // `UnownedSerialExecutor` is one `Builtin.Executor`: two words.
    let executor = unsafeBitCast(actor.unownedExecutor, to: (UInt, UInt).self)
    return ask(executor.0, executor.1, 0)
  }
}

extension HandlerIsolation {
  /// Whether it is that of an actor that is gone: nobody is left to be told.
  var isGone: Bool { if case .actor(let weak) = self { weak.actor == nil } else { false } }

  var isMain: Bool { if case .main = self { true } else { false } }

  /// Starts a task whose `body` begins by going to the actor.
  ///
  /// For the main actor the task is in that actor's queue when this returns, where the system offers it. So code that
  /// awaits an operation on the main actor resumes after what that operation tells there.
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
