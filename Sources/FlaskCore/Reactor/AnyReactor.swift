internal import FlaskPrimitives

/// A reactor of any owner. `ReactorManager.reactors` lists reactors as `AnyReactor`. A reactor starts chains, which are
/// transactions over its substances.
///
/// `Reactor` is the only subclass.
///
/// `@unchecked Sendable`:
/// - Isolation: `listening` guards itself; the rest is constant.
/// - If violated: a data race.
public class AnyReactor: @unchecked Sendable {
  private struct Listening {
    var isBound = false
    var listener: Listener?
  }

  @usableFromInline let members: ReactorMembers
  let ownerIdentifier: ObjectIdentifier
  /// Whether the reactor was made by `attachReactor`, and so calls the owner's `flaskReactions(reaction:)`.
  let callsOwner: Bool
  /// The isolation on which the weak reference to the owner is loaded. On another isolation, the loaded reference could
  /// be the last one, so that the owner would be released on the wrong thread.
  let ownerIsolation: HandlerIsolation
  /// The queue of pending commits. Each commit goes to the handler that is set at its delivery.
  let queue: DeliveryQueue
  private let listening = Lock(Listening())

  init(owner: AnyObject, members: ReactorMembers, isolation: HandlerIsolation, callsOwner: Bool) {
    self.members = members
    self.callsOwner = callsOwner
    ownerIsolation = isolation
    ownerIdentifier = ObjectIdentifier(owner)
    let flux = members.subjects.first?.flux ?? .shared
    queue = DeliveryQueue(lock: flux.leafLock)
  }

  deinit {
    // The reactor may still be bound if it was never passed to `ReactorManager`. Its queue and the listener retain each
    // other, so the queue must release the listener. Pending commits are dropped.
    queue.setCurrent(nil)
    Liveness.observer?.didRemove(ObjectIdentifier(self))
  }

  /// The names of the living substances of this reactor, in the given order. The reactor retains none of them.
  public var substanceNames: [String] { members.distinct.filter(\.isAlive).map(\.name) }

  /// `true` from `bind()` until `unbind()`, or until the owner turns out to be deallocated.
  public var isBound: Bool { listening.withLock { $0.isBound } }

  /// Subscribes to the commits of its substances. Idempotent; a new reactor is bound already.
  ///
  /// A reactor that is bound during a delivery is notified of the next commit.
  public func bind() { change { $0.isBound = true } }

  /// Unsubscribes at once. Neither the delivery in progress nor a pending delivery reaches the handler, except a call
  /// that another thread is about to make. Idempotent.
  public func unbind() { change { $0.isBound = false } }

  /// Sets the handler of reactions, and the isolation on which it runs. Commits that are pending for the old handler
  /// are delivered to the new handler, in order.
  final func listen(
    on isolation: HandlerIsolation,
    ownerType: Any.Type,
    isSilent: Bool = false,
    _ handle: @escaping (Commit) -> Void
  ) {
    let identity = (owner: ownerIdentifier, queue: ObjectIdentifier(queue))
    let listener = Listener(
      isSilent: isSilent,
      handle,
      isolation: isolation,
      queue: queue,
      ownerType: ownerType,
      isolationIsGone: {
        ReactorManager.release(ownedBy: identity.owner) {
          ObjectIdentifier($0.queue) == identity.queue && $0.hasGoneIsolation
        }
      }
    )
    change { $0.listener = listener }
  }

  /// Whether the present handler runs on an actor that was deallocated, so that the reactor is no longer needed. If a
  /// handler with another isolation has been set in the meantime, the reactor is still needed.
  private var hasGoneIsolation: Bool { listening.withLock { $0.listener }?.isolation.isGone ?? false }

  /// Changes the handler of the reactor, or binds or unbinds it. Concurrent changes are made one after another, under a
  /// lock.
  ///
  /// The old handler and dropped pending commits are released after the lock. The delivery of pending commits is also
  /// scheduled after the lock: scheduling unbinds this reactor if its isolation was deallocated.
  private func change(_ body: (inout Listening) -> Void) {
    var isolation: HandlerIsolation?
    defer { if let isolation { queue.schedule(isolation) } }
    listening.withLockReleasing { listening -> (Listening, DeliveryQueue.Dropped?) in
      let old = listening
      var dropped: DeliveryQueue.Dropped?
      body(&listening)
      guard var listener = listening.listener else { return (old, nil) }
      if listening.isBound {
        if !listener.isListening { listener = listener.renewed() }
        listening.listener = listener
        isolation = listener.isolation
        if old.isBound, let previous = old.listener {
          if previous === listener { return (old, nil) }
          // The queue gets the new listener before the previous one is marked as replaced. A delivery that finds the
          // mark gets the new listener from the queue.
          dropped = queue.setCurrent(listener)
          previous.retireForAnother()
          for subject in members.distinct { subject.listeners.replace(previous, with: listener) }
        } else {
          dropped = queue.setCurrent(listener)
          for subject in members.distinct where subject.isAlive { subject.listeners.add(listener) }
        }
      } else if old.isBound, let previous = old.listener {
        previous.retire()
        dropped = queue.setCurrent(nil)
        for subject in members.distinct { subject.listeners.remove(previous) }
      }
      return (old, dropped)
    }
  }

  // MARK: Chains

  /// Starts a chain: a transaction over one or more substances of this reactor.
  ///
  /// - Parameters:
  ///   - substance: a substance of this reactor. Any other substance is a fault and aborts the chain.
  ///   - body: called when the chain was submitted by `react()` and its turn has come, on the performing thread. It
  ///     reads and writes `prop` of the substance it is passed. An error that it throws discards the operation.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - line: as `fileID`.
  @available(swift, introduced: 6)
  @inlinable
  public final func mix<T: AnySubstance>(
    _ substance: T,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping @Sendable (T) throws -> Void
  ) -> ChainReaction {
    chain(substance, at: SourcePlace(fileID, line), ObjectFunction.over(AnySubstance.self, body))
  }

  /// A synonym of `mix`.
  @available(swift, introduced: 6)
  @inlinable
  public final func mixing<T: AnySubstance>(
    _ substance: T,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping @Sendable (T) throws -> Void
  ) -> ChainReaction {
    chain(substance, at: SourcePlace(fileID, line), ObjectFunction.over(AnySubstance.self, body))
  }

  @inlinable
  @inline(__always)
  final func chain(
    _ substance: AnySubstance,
    at location: SourcePlace,
    _ body: @escaping ChainStep.Body
  ) -> ChainReaction {
    ChainReaction(
      ChainStep(substance, body),
      members: members,
      location: location,
      isRefused: !members.contains(substance.cell) && members.hasReported(substance, at: location)
    )
  }

  /// The owner, while it is alive. Overridden by `Reactor`.
  var anyOwner: AnyObject? { nil }
}
