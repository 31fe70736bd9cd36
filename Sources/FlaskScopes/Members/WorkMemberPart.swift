internal import FlaskPrimitives

/// The access to a member of a container by a scope that was passed to work. It is registered with the observer of the
/// container only if the member is observed through it, so that the work of 10,000 members costs a commit nothing.
///
/// While the member is missing, reads return the value that was read last, or, if the member was observed, its last
/// committed value.
final class WorkMemberPart<M: Membership>: PartAccess<M.Member>, @unchecked Sendable {
  // `@unchecked Sendable`, as the superclass: constant, or behind a lock.
  private let membership: M
  private let cell: Cell
  private let root: PartAccess<M.Container>
  private let node: MemberNode
  private let last: Lock<M.Member>
  private let registered = Lock<MemberPart<M>?>(nil)

  /// `nil` if the member does not exist. The member may exist in the present state alone, while a time travel shows a
  /// past one.
  init?(_ membership: M, of cell: Cell, in root: PartAccess<M.Container>) {
    func found(in box: StateBox) -> Found<M.Member>? {
      defer { box.unpin() }
      let node = MemberNode(identityHash: 0, place: 0)
      return root.value(in: box.address).flatMap { membership.find(in: $0, near: node) }
    }
    guard let found = found(in: cell.pinForReading()) ?? found(in: cell.pinPresent()) else { return nil }
    self.membership = membership
    self.cell = cell
    self.root = root
    node = MemberNode(identityHash: 0, place: found.place)
    last = Lock(found.member)
  }

  /// The registered access, which is made when it is needed; `nil` if the member does not exist then.
  private var observed: MemberPart<M>? {
    if let made = registered.withLock({ $0 }) { return made }
    guard let made = MemberPart(membership, of: cell, in: root, isOfWork: true) else { return nil }
    return registered.withLock { registered in
      if registered == nil { registered = made }
      return registered
    }
  }

  override var steps: [PartStep] { root.steps.appending(membership.step) }
  override var key: Int { root.key }
  override var offset: Int? { nil }
  override var isContained: Bool { true }
  override var isMember: Bool { true }
  override var isHidden: Bool { root.isHidden }
  override var member: (any MemberObservable)? { observed ?? MissingMember() }

  override func memberKey<Value>(of keyPath: KeyPath<M.Member, Value>) -> Int {
    let layout = StateLayout.of(M.Member.self)
    return layout.index(of: keyPath) ?? layout.firstKey(of: keyPath) ?? -1
  }

  override func value(in state: UnsafeRawPointer) -> M.Member? {
    if let container = root.address(in: state) { return membership.member(in: container, near: node) }
    return root.value(in: state).flatMap { membership.find(in: $0, near: node) }?.member
  }

  override func presentValue(in state: UnsafeRawPointer) -> M.Member {
    guard let value = value(in: state) else {
      return registered.withLock { $0 }?.presentValue(in: state) ?? last.withLock { $0 }
    }
    last.withLockReleasing { last in
      let old = last
      last = value
      return old
    }
    return value
  }

  override func presence(in state: UnsafeRawPointer) -> PartPresence? {
    guard let presence = root.presence(in: state), let member = value(in: state) else { return nil }
    return presence.adding(member, of: M.self)
  }

  override func watchPresence(_ handler: @escaping (Commit) -> Void) -> [SubstanceObservation] {
    observed?.watchPresence(handler) ?? []
  }

  override func watchExchanges(_ handler: @escaping (Commit) -> Void) -> [SubstanceObservation] {
    observed?.watchExchanges(handler) ?? []
  }

  override func modify(
    _ draft: UnsafeMutableRawPointer,
    _ body: (inout M.Member) throws -> Void
  ) rethrows -> Bool {
    var isThere = false
    let isContainerThere = try root.modify(draft) { container in
      isThere = try membership.modify(&container, near: node, body)
    }
    return isContainerThere && isThere
  }
}

/// The observation of a member that does not exist any more: it has ended.
private final class MissingMember: MemberObservable {
  func watch(
    _ news: MemberEvent,
    _ listener: Listener,
    _ notify: MemberHandler?,
    ended: (@Sendable () -> Void)?
  ) -> SubstanceObservation {
    ended?()
    return SubstanceObservation(nil, among: nil, key: 0)
  }

  func noteReading(of key: Int, for publisher: StatePublisher) {}
}
