/// Keeps a member known to its hub: held by the scopes that lead to it, and by those who observe it.
final class MemberHandle<M: Membership>: MemberWatching, ListenerHome {
  let hub: MemberHub<M>
  let entry: MemberEntry<M>
  private let flux: Flux

  /// `nil` if the member is not there.
  init?(_ membership: M, of participant: Participant, in root: PartAccess<M.Container>) {
    flux = participant.flux
    let hub: MemberHub<M> = flux.memberHubs.enter(participant.subject, root)
    self.hub = hub
    // As whoever reads sees it, and by this the reader depends on it.
    let seen = participant.pinForReading()
    defer { seen.unpin() }
    guard let found = hub.find(membership, in: seen.address) else {
      flux.memberHubs.leave(hub)
      return nil
    }
    entry = MemberEntry(membership, found: found)
    hub.add(entry)
    let box = entry.begin { participant.pinCommitted() }
    defer { box.unpin() }
    if box !== seen { entry.setFirst(hub.find(membership, in: box.address)) }
  }

  deinit {
    hub.remove(entry)
    flux.memberHubs.leave(hub)
  }

  func watch(
    _ news: MemberNews,
    _ listener: Listener,
    _ told: MemberHandler?,
    ended: (@Sendable () -> Void)?
  ) -> SubstanceObservation {
    entry.add(listener, told, news, epoch: flux.queue.number, ended: ended)
    return SubstanceObservation(listener, among: self, key: 0)
  }

  func remove(_ observer: Listener, key: Int) { entry.remove(observer) }
}

/// A member of a container that lies in another part.
final class MemberPart<M: Membership>: PartAccess<M.Member>, @unchecked Sendable {
  // `@unchecked`: constant.
  private let root: PartAccess<M.Container>
  private let handle: MemberHandle<M>

  /// `nil` if the member is not there.
  init?(_ membership: M, of participant: Participant, in root: PartAccess<M.Container>) {
    guard let handle = MemberHandle(membership, of: participant, in: root) else { return nil }
    self.root = root
    self.handle = handle
  }

  private var membership: M { handle.entry.membership }

  override var steps: [PartStep] { root.steps.appending(.member(membership.identity)) }
  override var key: Int { root.key }
  override var offset: Int? { nil }
  override var member: (any MemberWatching)? { handle }
  override var isMember: Bool { true }
  override var lastMember: M.Member? { handle.entry.lastMember }
  override var isHidden: Bool { root.isHidden }

  override func value(in state: UnsafeRawPointer) -> M.Member? {
    // Where the container lies in the state itself it is not copied.
    if let container = root.address(in: state) {
      return membership.member(in: container, near: handle.entry)
    }
    return root.value(in: state).flatMap { membership.find(in: $0, near: handle.entry) }?.member
  }

  override func presentValue(in state: UnsafeRawPointer) -> M.Member {
    value(in: state) ?? handle.entry.lastMember
  }

  override func modify(
    _ draft: UnsafeMutableRawPointer,
    _ body: (inout M.Member) throws -> Void
  ) rethrows -> Bool {
    var isThere = false
    let isContainerThere = try root.modify(draft) { container in
      isThere = try membership.modify(&container, near: handle.entry, body)
    }
    return isContainerThere && isThere
  }
}
