internal import FlaskPrimitives
internal import Synchronization

/// Notifies the observers of members of one container (an optional, a dictionary or another collection), as long as a
/// scope of a member exists. It is one listener of the container's key. After a commit, it compares the members that
/// have scopes, and notifies the listeners of changed members.
///
/// It retains no substance. It is retained by the parts of its members (`MemberPart`) and by its own listener, which it
/// removes with the last part.
///
/// `@unchecked Sendable`:
/// - Invariant: `steps`, with its key paths, is constant; all other variables guard themselves.
/// - If violated: a data race.
final class ContainerObserver<M: Membership>: ContainerObservers.Hub, @unchecked Sendable {
  private struct State {
    /// The members that have scopes, in a table by the hashes of their identities. The table does not use the
    /// identities themselves, since comparing them runs client code, which must not run under the lock.
    var members: [Int: [MemberNode]] = [:]
    var observation: SubstanceObservation?
  }

  let root: PartAccess<M.Container>
  private let state = Lock(State())
  /// The index at which the search starts when a scope of another member is made. It is the index after the member
  /// found last, since most scopes are made in the order of the elements.
  private let next = MemberNode(identityHash: 0, place: 0)

  init(of subject: Subject, root: PartAccess<M.Container>, steps: [PartStep], slot: ContainerObservers.Slot) {
    self.root = root
    super.init(of: subject, steps: steps, slot: slot)
  }

  /// Begins to listen.
  func start() {
    let listener = Listener({ self.didCommit($0) }, isolation: .none)
    let observation: SubstanceObservation
    if let member = root.member {
      observation = member.watch(.everything, listener, nil, ended: nil)
    } else {
      subject.listeners.add(listener, key: root.key)
      observation = SubstanceObservation(listener, among: subject.listeners, key: root.key)
    }
    state.withLock { $0.observation = observation }
  }

  /// Ends the observation of the container. The listener of the container has retained this object until then.
  override func stop() { state.withLock { $0.observation.take() }?.cancel() }

  // MARK: The members

  /// The member in a state.
  func find(_ membership: M, in state: UnsafeRawPointer) -> Found<M.Member>? {
    guard let container = root.value(in: state) else { return nil }
    guard let found = membership.find(in: container, near: next) else { return nil }
    next.follow(to: found.place + 1)
    return found
  }

  func add(_ entry: MemberEntry<M>) {
    state.withLock { $0.members[entry.identityHash, default: []].append(entry) }
  }

  /// Removes the entry of a member. The caller retains the entry, so nothing is deallocated under the lock.
  func remove(_ entry: MemberEntry<M>) {
    state.withLock { state in
      state.members[entry.identityHash]?.removeAll { $0 === entry }
      if state.members[entry.identityHash]?.isEmpty == true { state.members[entry.identityHash] = nil }
    }
  }

  // MARK: By the performer

  /// All members that have scopes.
  var allEntries: [MemberEntry<M>] {
    // The cast is safe: `add(_:)` takes only entries of this type.
    state.withLock { $0.members.values.joined().map { unsafeDowncast($0, to: MemberEntry<M>.self) } }
  }

  /// Calls `body` with the entry of each member whose identity has the given hash. Several identities may have this
  /// hash.
  func forEachEntry(ofHash hash: Int, _ body: (MemberEntry<M>) -> Void) {
    for member in state.withLock({ $0.members[hash] }) ?? [] {
      body(unsafeDowncast(member, to: MemberEntry<M>.self))
    }
  }

  /// Called when elements have moved in the collection. Adds `distance` to the last known index of each member from
  /// index `start` on.
  func shift(from start: Int, by distance: Int) {
    for entry in allEntries where entry.place >= start { entry.follow(to: entry.place + distance) }
  }

  private func didCommit(_ commit: Commit) {
    var notifications: [MemberNotification] = []
    var ended: [MemberListener] = []
    forEachChange(in: commit) { $0.entry.apply($0, of: commit.number, adding: &notifications, ended: &ended) }
    let epoch = subject.flux.queue.number
    // The listeners of all changed members are notified in the order in which they were added.
    for notification in notifications.ordered(by: { $0.observer.serial }) {
      notify(notification, commit, epoch)
    }
    for observer in ended { observer.ended?() }
  }

  private func forEachChange(in commit: Commit, _ body: (MemberChange<M>) -> Void) {
    // If the container is stored directly in the memory of the state, its old and new version are compared there, and
    // not copied.
    if let offset = root.offset {
      let old = (commit.oldAddress + offset).assumingMemoryBound(to: M.Container.self)
      let new = (commit.newAddress + offset).assumingMemoryBound(to: M.Container.self)
      return M.forEachChange(in: self, from: old, to: new, body)
    }
    forEachChangeOfCopies(in: commit, body)
  }

  @inline(never)
  private func forEachChangeOfCopies(in commit: Commit, _ body: (MemberChange<M>) -> Void) {
    let old = root.value(in: commit.oldAddress)
    let new = root.value(in: commit.newAddress)
    if let old, let new {
      return withUnsafePointer(to: old) { old in
        withUnsafePointer(to: new) { new in
          // These copies of the container are deallocated before the listeners are notified. So the addresses of
          // members in them are not passed to the listeners, which read the members from the states.
          M.forEachChange(in: self, from: old, to: new) {
            body(MemberChange(entry: $0.entry, old: $0.old, new: $0.new))
          }
        }
      }
    }
    for entry in allEntries {
      let membership = entry.membership
      M.change(
        of: entry,
        from: old.flatMap { membership.find(in: $0, near: entry)?.member },
        to: new.flatMap { membership.find(in: $0, near: entry)?.member },
        body
      )
    }
  }
}

/// The container observers ("hubs") of a flux, one for each container whose members have scopes. A container is an
/// optional or a collection in the state of a substance.
final class ContainerObservers: Sendable {
  /// The type-erased container observer ("hub").
  ///
  /// `@unchecked Sendable`:
  /// - Isolation: `useCount` is guarded by the lock of the hubs.
  /// - Invariant: `steps` is constant; see `ContainerObserver`.
  /// - If violated: a data race.
  class Hub: @unchecked Sendable {
    /// The subject of the substance that has the container. It is retained, so that no other subject gets its object
    /// identifier, by which hubs are found.
    let subject: Subject
    let steps: [PartStep]
    fileprivate let slot: Slot
    fileprivate var useCount = 0

    init(of subject: Subject, steps: [PartStep], slot: Slot) {
      self.subject = subject
      self.steps = steps
      self.slot = slot
    }

    func stop() {}

    /// Notifies one listener that a commit has changed its member, unless the listener was added after the commit's
    /// publication.
    fileprivate final func notify(_ notification: MemberNotification, _ commit: Commit, _ epoch: Int) {
      let observer = notification.observer
      if observer.epoch >= epoch { return }
      if let member = notification.member, let notify = observer.notify {
        if observer.listener.isListeningHere { return notify(member.old, member.new) }
        if observer.listener.performHere(
          callerIsolation: commit.isolation,
          { notify(member.old, member.new) }
        ) {
          return
        }
      }
      observer.listener.receive(commit, from: commit.isolation)
    }
  }

  struct Slot: Hashable {
    let subject: ObjectIdentifier
    /// The hash of the steps from the state to the container. It is computed before a lock is taken, since it may call
    /// client code.
    let hash: Int
  }

  private let hubs = Lock<[Slot: [Hub]]>([:])

  /// The number of container observers in use.
  var count: Int { hubs.withLock { $0.values.reduce(0) { $0 + $1.count } } }

  /// Returns the shared observer of a container, and creates the observer if none exists. Each call needs one call of
  /// `leave(_:)`.
  func enter<M: Membership>(_ subject: Subject, _ root: PartAccess<M.Container>) -> ContainerObserver<M> {
    let steps = root.steps
    let slot = Slot(subject: ObjectIdentifier(subject), hash: steps.hashValue)
    var new: ContainerObserver<M>?
    while true {
      let present = hubs.withLock { $0[slot] ?? [] }
      // The search for a hub with the same steps holds no lock, since comparing the steps may call the `==` of client
      // code.
      let place = present.firstIndex { $0.steps == steps && $0 is ContainerObserver<M> }
      if let place {
        if !tryEnter(present[place]) { continue }
        new?.stop()
        return unsafeDowncast(present[place], to: ContainerObserver<M>.self)
      }
      let made = new ?? ContainerObserver<M>(of: subject, root: root, steps: steps, slot: slot)
      // The container observer listens to commits before other threads can find it. So a scope that uses it misses no
      // commit.
      if new == nil { made.start() }
      new = made
      let isAdded = hubs.withLock { hubs in
        let now = hubs[slot] ?? []
        guard now.elementsEqual(present, by: { $0 === $1 }) else { return false }
        made.useCount = 1
        hubs[slot] = now + [made]
        return true
      }
      if isAdded { return made }
    }
  }

  private func tryEnter(_ hub: Hub) -> Bool {
    hubs.withLock { hubs in
      guard hubs[hub.slot]?.contains(where: { $0 === hub }) == true else { return false }
      hub.useCount += 1
      return true
    }
  }

  /// Ends one use of a shared container observer. After its last use, the observer is removed and stopped.
  func leave(_ hub: Hub) {
    let isUnused = hubs.withLock { hubs in
      hub.useCount -= 1
      if hub.useCount > 0 { return false }
      let rest = hubs[hub.slot]?.filter { $0 !== hub } ?? []
      hubs[hub.slot] = rest.isEmpty ? nil : rest
      return true
    }
    if isUnused { hub.stop() }
  }
}

extension Flux {
  var containerObservers: ContainerObservers { attachment { _ in ContainerObservers() } }
}
