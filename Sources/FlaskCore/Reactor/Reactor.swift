@_spi(FlaskInternals) internal import FlaskArchive

/// A subscriber: hears what changed in its substances, on behalf of an owner, and starts chains that change them.
///
/// Made by `Flask.attachReactor(to:mixing:)` and `Flask.reactor(attachedTo:mixing:)`. The owner is held weakly: once it is
/// gone, the reactor is unbound and released by itself.
///
/// **Where the handler runs.** On the isolation from which the reactor was attached: made on the main actor or inside
/// an actor, the handler runs there (synchronously when the operation is performed there, else enqueued, in
/// order). Made from nonisolated code, it runs on the thread that performs the operation.
///
/// `@unchecked Sendable`: owner and isolation are weak references that are never written again, and the owner is only
/// handed to code on the isolation that it was attached from; everything else is the superclass's or guarded.
public final class Reactor<Owner: AnyObject>: AnyReactor, @unchecked Sendable {
  /// What a reactor calls for each reaction, in the order of the commits.
  public typealias Handler = @isolated(any) @Sendable (_ owner: Owner, _ reaction: FlaskReaction) -> Void
  typealias PlainHandler = (Owner, FlaskReaction) -> Void

  /// The owner, while it lives.
  public private(set) weak var owner: Owner?
  /// Weak, since it may be the owner, or hold it.
  private weak var isolation: (any Actor)?
  private let isIsolated: Bool
  /// Not a closure by itself: see `Lock`.
  private struct Written { var handler: Handler? }

  private let written = Lock(Written())

  init(owner: Owner, members: ReactorMembers, isolation: (any Actor)?, callsOwner: Bool = false) {
    self.owner = owner
    self.isolation = isolation
    isIsolated = isolation != nil
    super.init(owner: owner, members: members, callsOwner: callsOwner)
    setPlainHandler(nil, isolation: isolation)
  }

  /// Called for each reaction with the owner, while that lives. May be set at any time, from any thread.
  ///
  /// An isolated closure (`{ @MainActor owner, reaction in … }`) runs on its own isolation, any other on that from which
  /// the reactor was attached. To have the closure take the isolation of the place where it is written, hand it to
  /// `Flask.reactor(attachedTo:mixing:handler:)`.
  @available(swift, introduced: 6)
  public var handler: Handler? {
    get { written.withLock { $0.handler } }
    set {
      // The old handler is let go of after the lock: that may run a `deinit` of the user's.
      let old = written.withLock { written in
        defer { written.handler = newValue }
        return written.handler
      }
      withExtendedLifetime(old) {}
      // A closure of type `@isolated(any)` is called like any other, its isolation being part of its context; and it is
      // only called on that isolation, to which `receive` takes it.
      let plain = newValue.map { unsafeBitCast($0, to: PlainHandler.self) }
      setPlainHandler(plain, isolation: newValue?.isolation ?? isolation)
    }
  }

  /// Sets a handler that has to run on `isolation`.
  func setPlainHandler(_ plain: PlainHandler?, isolation: (any Actor)?) {
    let isIsolated = isIsolated || isolation != nil
    guard let plain else { return listen(on: isolation, isIsolated: isIsolated, .none) }
    // Not `[weak owner]`: each look at a captured variable is checked for exclusive access.
    let owner = WeakReference(owner)
    let handler = ReactionHandler.reactor { [members] record in
      guard let owner = owner.object else { return false }
      plain(owner, FlaskReaction(record: record, members: members))
      return true
    }
    listen(on: isolation, isIsolated: isIsolated, handler)
  }

  override var anyOwner: AnyObject? { owner }
}
