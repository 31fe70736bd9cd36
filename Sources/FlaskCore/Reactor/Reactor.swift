internal import FlaskPrimitives

/// A subscriber. It calls its handler with the changes of its substances, on behalf of an owner, and starts chains that
/// change them.
///
/// Made by `Flask.attachReactor(to:mixing:)` and `Flask.reactor(attachedTo:mixing:)`. The owner is referenced weakly:
/// once it is deallocated, the reactor is unbound and released by itself.
///
/// **Where the handler runs.** On the isolation from which the reactor was attached. A reactor that was attached on the
/// main actor or inside an actor runs its handler there: synchronously when the operation is performed there, else
/// enqueued, in order. A reactor that was attached from nonisolated code runs its handler on the thread that performs
/// the operation. On one isolation the handler is not reentered. The reaction to a mix that the handler makes there is
/// delivered after the handler has returned.
///
/// `@unchecked Sendable`:
/// - Isolation: the reference to the owner is only passed to code on the isolation that the reactor was attached from;
///   everything else is the superclass's or guarded.
/// - Invariant: that reference is never written after `init`.
/// - If violated: the owner may be released on the wrong thread.
public final class Reactor<Owner: AnyObject>: AnyReactor, @unchecked Sendable {
  /// The handler that a reactor calls for each reaction, in the order of the commits.
  public typealias Handler = @isolated(any) @Sendable (_ owner: Owner, _ reaction: FlaskReaction) -> Void

  private let ownerReference: OwnerReference<Owner>
  /// The handler in a struct, since the value in a `Lock` must not be a closure: it would be wrapped in another
  /// closure.
  private struct Written { var handler: Handler? }
  private let written = Lock(Written())

  init(owner: Owner, members: ReactorMembers, isolation: (any Actor)?, callsOwner: Bool = false) {
    ownerReference = OwnerReference(owner)
    let isolation = HandlerIsolation(isolation)
    super.init(owner: owner, members: members, isolation: isolation, callsOwner: callsOwner)
    listen(on: isolation, ownerType: Owner.self, isSilent: true) { _ in }
  }

  /// The closure that is called for each reaction, with the owner, while the owner lives. May be set at any time, on
  /// any thread.
  ///
  /// An isolated closure (`{ @MainActor owner, reaction in … }`) runs on its own isolation, any other closure on the
  /// isolation from which the reactor was attached. To give the closure the isolation of the place where it is written,
  /// pass it to `Flask.reactor(attachedTo:mixing:handler:)`.
  @available(swift, introduced: 6)
  public var handler: Handler? {
    get { written.withLock { $0 }.handler }
    set {
      // The old handler is released after `written` is unlocked, since its release may run a `deinit` of client code.
      written.withLockReleasing { written in
        defer { written.handler = newValue }
        return written.handler
      }
      guard let newValue else {
        return listen(on: ownerIsolation, ownerType: Owner.self, isSilent: true) { _ in }
      }
      let isolation = newValue.isolation.map { HandlerIsolation($0) } ?? ownerIsolation
      let plain = FunctionHolder.cast(IsolatedHandler(body: newValue), to: PlainHandler.self)
      setHandler(plain.body, on: isolation)
    }
  }

  // Structs that store closures without wrapping each in another closure: see `FunctionHolder`.
  private struct IsolatedHandler { let body: Handler }
  private struct PlainHandler { let body: (Owner, FlaskReaction) -> Void }

  /// Sets a handler that has to run on `isolation`.
  func setHandler(_ plain: @escaping (Owner, FlaskReaction) -> Void, on isolation: HandlerIsolation) {
    let handler = { [ownerReference, members, ownerIdentifier] (commit: Commit) in
      if let owner = ownerReference.object {
        plain(owner, FlaskReaction(commit: commit, members: members))
      } else {
        ReactorManager.release(ownedBy: ownerIdentifier) { $0.anyOwner == nil }
      }
    }
    listen(on: isolation, ownerType: Owner.self, handler)
  }

  override var anyOwner: AnyObject? { ownerReference.object }
}

extension Reactor where Owner: Sendable {
  /// The owner, while it lives.
  public var owner: Owner? { ownerReference.object }
}
