/// The access to a member of a container, which is itself a part of a state. While it is retained, the member is
/// registered with the observer of the container. The scopes and observers of the member retain it.
final class MemberPart<M: Membership>: PartAccess<M.Member>, MemberObservable, ListenerHome,
  @unchecked Sendable
{
  // `@unchecked Sendable`, as the superclass: constant.
  private let hub: ContainerObserver<M>
  private let entry: MemberEntry<M>
  private let flux: Flux
  private var root: PartAccess<M.Container> { hub.root }

  /// `nil` if the member does not exist.
  ///
  /// - Parameter isOfWork: whether the scope is for work. The member may then exist in the present state alone, while a
  ///   time travel shows a past one.
  init?(_ membership: M, of cell: Cell, in root: PartAccess<M.Container>, isOfWork: Bool) {
    flux = cell.flux
    let hub: ContainerObserver<M> = flux.containerObservers.enter(cell.subject, root)
    self.hub = hub
    // The member is searched in the state that the running code sees, which may be that of a consistent read of derived
    // values.
    let seen = cell.pinForReading()
    defer { seen.unpin() }
    var first = hub.find(membership, in: seen.address)
    if first == nil, isOfWork {
      let present = cell.pinPresent()
      first = hub.find(membership, in: present.address)
      present.unpin()
    }
    guard let found = first else {
      flux.containerObservers.leave(hub)
      return nil
    }
    entry = MemberEntry(membership, found: found)
    hub.add(entry)
    let box = entry.begin { cell.pinCommitted() }
    defer { box.unpin() }
    if box !== seen { entry.setFirst(hub.find(membership, in: box.address)) }
  }

  deinit {
    hub.remove(entry)
    flux.containerObservers.leave(hub)
  }

  func watch(
    _ news: MemberEvent,
    _ listener: Listener,
    _ notify: MemberHandler?,
    ended: (@Sendable () -> Void)?
  ) -> SubstanceObservation {
    entry.add(listener, notify, news, epoch: flux.queue.number, ended: ended)
    return SubstanceObservation(listener, among: self, key: 0)
  }

  func remove(_ observer: Listener, key: Int) { entry.remove(observer) }

  // MARK: The part

  override var steps: [PartStep] { root.steps.appending(entry.membership.step) }
  override var key: Int { root.key }
  override var offset: Int? { nil }
  override var member: (any MemberObservable)? { self }
  override var isContained: Bool { true }
  override var isMember: Bool { true }
  override var isHidden: Bool { root.isHidden }

  override func memberKey<Value>(of keyPath: KeyPath<M.Member, Value>) -> Int {
    layout.index(of: keyPath) ?? layout.firstKey(of: keyPath) ?? -1
  }

  /// Returns the member as it is in a state; `nil` if the container in this state does not have the member.
  override func value(in state: UnsafeRawPointer) -> M.Member? {
    // If the container is stored directly in the memory of the state, the member is read there, and the container is
    // not copied.
    if let container = root.address(in: state) {
      return entry.membership.member(in: container, near: entry)
    }
    return root.value(in: state).flatMap { entry.membership.find(in: $0, near: entry) }?.member
  }

  override func presentValue(in state: UnsafeRawPointer) -> M.Member { value(in: state) ?? entry.lastMember }

  override func presence(in state: UnsafeRawPointer) -> PartPresence? {
    guard let presence = root.presence(in: state), let member = value(in: state) else { return nil }
    return presence.adding(member, of: M.self)
  }

  override func watchPresence(_ handler: @escaping (Commit) -> Void) -> [SubstanceObservation] {
    let event: MemberEvent = M.isExchangeable ? .everything : .presence
    let own = watch(event, Listener(handler, isolation: .none), nil, ended: nil)
    return [own] + root.watchExchanges(handler)
  }

  override func watchExchanges(_ handler: @escaping (Commit) -> Void) -> [SubstanceObservation] {
    (M.isExchangeable ? [watch(.everything, Listener(handler, isolation: .none), nil, ended: nil)] : [])
      + root.watchExchanges(handler)
  }

  override func modify(
    _ draft: UnsafeMutableRawPointer,
    _ body: (inout M.Member) throws -> Void
  ) rethrows -> Bool {
    var isThere = false
    let isContainerThere = try root.modify(draft) { container in
      isThere = try entry.membership.modify(&container, near: entry, body)
    }
    return isContainerThere && isThere
  }

  // MARK: Observation

  /// The keys of the member.
  var layout: StateLayout { StateLayout.of(M.Member.self) }

  func noteReading(of key: Int, for publisher: StatePublisher) {
    let trackings = publisher.attachment { MemberTrackings() }.object
    let layout = layout
    trackings.add(min(key, layout.keyCount), of: ObjectIdentifier(self)) {
      // The publisher of a member has one key more than the member. This last key stands for the presence of the
      // member.
      let publisher = StatePublisher(
        keyCount: layout.keyCount + 1,
        isNotifiedOnMain: publisher.isNotifiedOnMain,
        setNotice: { _ in }
      )
      let notify: MemberHandler = { [weak trackings] old, new in
        var changes = ChangeSet()
        layout.compare(old: old, new: new, into: &changes)
        publisher.stateDidChange(firstKeys: changes.firstWord, isAny: true) {
          $0 < layout.keyCount && changes.contains($0)
        }
        trackings?.removeUnused(ObjectIdentifier(self))
      }
      let listener = Listener(
        Listener.states { [weak trackings] old, new in
          guard let old = self.value(in: old), let new = self.value(in: new) else {
            publisher.stateDidChange(firstKeys: .max, isAny: true) { _ in true }
            trackings?.removeUnused(ObjectIdentifier(self))
            return
          }
          withUnsafePointer(to: old) { old in withUnsafePointer(to: new) { notify(old, $0) } }
        },
        isolation: .none
      )
      return (publisher, self.watch(.everything, listener, notify, ended: nil))
    }
  }
}
