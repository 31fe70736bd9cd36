@_spi(FlaskInternals) internal import FlaskArchive

/// A reactor of whatever owner: what `ReactorManager.reactors` lists and chains are started from.
///
/// Its one subclass is `Reactor`.
///
/// `@unchecked Sendable`: `listening` guards itself; the rest is constant.
public class AnyReactor: @unchecked Sendable {
  private struct Listening {
    var isBound = false
    var listener: ReactionListener?
  }

  @usableFromInline let members: ReactorMembers
  let ownerIdentifier: ObjectIdentifier
  /// Whether it calls the owner's `flaskReactions(reaction:)`, being made by `attachReactor`.
  let callsOwner: Bool
  private let listening = Lock(Listening())

  init(owner: AnyObject, members: ReactorMembers, callsOwner: Bool) {
    self.members = members
    self.callsOwner = callsOwner
    ownerIdentifier = ObjectIdentifier(owner)
  }

  /// The living substances that this reactor was made for, in the order given. It holds none of them.
  public var substances: [AnySubstance] { members.substances }

  /// True from `bind()` until `unbind()`, or until the owner is found to be gone.
  public var isBound: Bool { listening.withLock { $0.isBound } }

  /// Starts to hear its substances. Idempotent; a new reactor is bound already.
  ///
  /// A reactor bound during a delivery hears the next one.
  public func bind() { change { $0.isBound = true } }

  /// Stops hearing its substances, at once: not even what is being delivered will reach it. Idempotent.
  public func unbind() { change { $0.isBound = false } }

  /// What handles reactions now, if it is bound.
  var listenerIfBound: ReactionListener? { listening.withLock { $0.isBound ? $0.listener : nil } }

  /// Sets what handles reactions, and where. The handler says false if the owner is gone.
  ///
  /// - Parameter isIsolated: whether there is, or was, an `isolation`; one that is gone leaves nobody to hear.
  final func listen(on isolation: (any Actor)?, isIsolated: Bool, _ handler: ReactionHandler) {
    change { listening in
      // On the same isolation what waits keeps its place before what comes; another one needs a mailbox of its own,
      // or what is forwarded to it would come back to whoever empties the old one.
      let old = listening.listener
      old?.retire()
      listening.listener = ReactionListener(
        of: self,
        members: members,
        mailbox: old.flatMap { $0.isOn(isolation) ? $0.mailbox : nil } ?? ReactionMailbox(),
        isolation: isolation,
        isIsolated: isIsolated,
        handler: handler
      )
    }
  }

  /// Changes what the substances know of this reactor. Under its lock, so that two changes at a time can't cross; what was
  /// known before is released after it.
  private func change(_ body: (inout Listening) -> Void) {
    let substances = members.distinctSubstances
    // What may be looked at under the lock is held until after it: an actor, too, may have a `deinit` of the user's.
    let actor = listening.withLock { $0.listener }?.actor
    let old = listening.withLock { listening in
      let old = listening
      body(&listening)
      guard let listener = listening.listener else { return old }
      if listening.isBound {
        let current = listener.isListening ? listener : listener.renewed(of: self)
        listening.listener = current
        for substance in substances {
          if old.isBound, let previous = old.listener {
            if previous !== current { substance.core.audience.replace(previous, with: current) }
          } else {
            substance.core.audience.add(current)
          }
        }
      } else {
        listener.retire()
        if old.isBound, let previous = old.listener {
          for substance in substances { substance.core.audience.remove(previous) }
        }
      }
      return old
    }
    withExtendedLifetime((old, substances, actor)) {}
  }

  // MARK: Chains

  /// Starts a chain: a transaction over one or more substances of this reactor.
  ///
  /// - Parameters:
  ///   - substance: one that the reactor was made for; anything else is a fault and aborts the chain.
  ///   - body: runs when the chain has been resolved with `react()` and its turn has come, on the performing thread. It
  ///     reads and writes `prop` of the substance it is handed. What it throws discards the operation.
  @available(swift, introduced: 6)
  @inlinable
  public final func mix<T: AnySubstance>(
    _ substance: T,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping @Sendable (T) throws -> Void
  ) -> ChainReaction {
    let place = SourcePlace(fileID, line)
    return ChainReaction(
      MixStep(substance, body),
      members: members,
      place: place,
      isRefused: !members.contains(substance) && members.hasReported(substance, at: place)
    )
  }

  /// The same as `mix`.
  @available(swift, introduced: 6)
  @inlinable
  public final func mixing<T: AnySubstance>(
    _ substance: T,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping @Sendable (T) throws -> Void
  ) -> ChainReaction {
    mix(substance, fileID: fileID, line: line, body)
  }

  /// The owner, while it lives. Overridden by the one subclass.
  var anyOwner: AnyObject? { nil }
}
