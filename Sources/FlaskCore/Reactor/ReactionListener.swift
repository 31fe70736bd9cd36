internal import Synchronization

/// A reactor or an observer as its substances see it: a handler and the isolation it runs on.
///
/// Constant but for being active or not, so a delivery takes no lock. A reactor whose handler is set again, or that is
/// bound again, gets a new listener.
///
/// `@unchecked Sendable`: `handler` is only called on `isolation`; `reactor` and `isolation` are weak references that
/// are written once, before the listener is handed to anyone.
final class ReactionListener: @unchecked Sendable {
  let members: ReactorMembers
  let mailbox: ReactionMailbox
  /// Weak, since it may be the owner, or hold it. Once it is gone nobody is left to hear.
  private weak var isolation: (any Actor)?
  private let isIsolated: Bool
  private let handler: ReactionHandler
  // The closure of `handler`, apart: taken out of the enum for each call, it would be counted up and down.
  private let handleReaction: (ReactionRecord) -> Bool
  private let handleStates: (UnsafeRawPointer, UnsafeRawPointer) -> Void
  private let isForStates: Bool
  private let isSilent: Bool
  private weak var reactor: AnyReactor?
  private let isActive = Atomic<Bool>(true)

  /// - Parameters:
  ///   - reactor: whose it is; `nil` for an observer of a key.
  ///   - isIsolated: whether there is, or was, an `isolation`.
  init(
    of reactor: AnyReactor?,
    members: ReactorMembers,
    mailbox: ReactionMailbox,
    isolation: (any Actor)?,
    isIsolated: Bool,
    handler: ReactionHandler
  ) {
    self.reactor = reactor
    self.members = members
    self.mailbox = mailbox
    self.isolation = isolation
    self.isIsolated = isIsolated
    self.handler = handler
    handleReaction = handler.reactionHandler
    handleStates = handler.stateHandler
    isForStates = handler.isForStates
    isSilent = handler.isNone
  }

  /// Another listener of the reactor takes over, or none: not even a delivery in progress reaches this one.
  func retire() { isActive.store(false, ordering: .releasing) }

  /// Whether it has not been retired.
  var isListening: Bool { isActive.load(ordering: .acquiring) }

  /// The actor on which it runs its handler, while that lives.
  var actor: (any Actor)? { isolation }

  /// Whether it runs its handler on `isolation`, `nil` being the performing thread.
  func isOn(_ isolation: (any Actor)?) -> Bool {
    isIsolated == (isolation != nil) && self.isolation === isolation
  }

  /// A listener like this one that has not been retired.
  func renewed(of reactor: AnyReactor) -> ReactionListener {
    ReactionListener(
      of: reactor,
      members: members,
      mailbox: mailbox,
      isolation: isolation,
      isIsolated: isIsolated,
      handler: handler
    )
  }

  /// Takes a reaction from the performer: handles it at once if this is the right isolation, else lets it wait for it.
  @inline(__always)
  func receive(_ record: ReactionRecord, on current: ActorIdentity) {
    if isSilent { return }
    if isIsolated {
      receiveIsolated(record, on: current)
    } else {
      handleNow(record)
    }
  }

  @inline(never)
  private func receiveIsolated(_ record: ReactionRecord, on current: ActorIdentity) {
    guard let isolation else { return dispose() }
    if current.isSame(as: isolation) || (isolation === MainActor.shared && MainThread.isCurrent) {
      mailbox.deliver(record, to: self)
    } else {
      record.willBePosted()
      mailbox.post(record, to: self, isolation: isolation)
    }
  }

  /// Handles a reaction on the right isolation, or disposes of the reactor if its owner is gone.
  @inline(__always)
  func handleNow(_ record: ReactionRecord) {
    guard isActive.load(ordering: .acquiring) else { return forward(record) }
    if isForStates {
      let states = record.beginReading()
      handleStates(states.old, states.new)
      record.endReading(isPinned: states.isPinned)
    } else if !handleReaction(record) {
      dispose()
    }
  }

  @inline(never)
  private func forward(_ record: ReactionRecord) {
    reactor?.listenerIfBound?.receive(record, on: ActorIdentity(isolation))
  }

  @inline(never)
  private func dispose() {
    if let reactor { ReactorManager.release([reactor]) }
  }
}
