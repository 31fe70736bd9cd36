package import FlaskPrimitives
internal import Synchronization

/// The committed state and the draft of one substance, side by side. Knows no state type.
///
/// A mix writes into the draft. Committing publishes the draft's box, so that the old state is still whole while
/// reactions are delivered; then what changed is copied over, and the old box is the next draft (double buffer).
/// Whoever kept a box gets to keep it: the cell takes a new one.
///
/// `@unchecked Sendable`: `committed` is atomic, and says below who may use what it refers to; `restorePoint` and
/// `present` are touched under `snapshots`; the other variables belong to the performer of the flux, and the flux's
/// queue hands them from one thread to the next. None needs a dynamic check of exclusive access: one thread uses it,
/// and no access to one of them calls anything that uses the same cell.
@usableFromInline
package class StateCell: @unchecked Sendable {
  package final let layout: StateLayout
  /// Held by whoever looks for a committed state; one lock for all cells of a flux.
  package final let snapshots: Lock<Void>
  /// Pinned. Touched under `snapshots`.
  @exclusivity(unchecked) final var restorePoint: StateBox?
  /// The state that is the present one while the committed one is a past one, pinned.
  @exclusivity(unchecked) final var present: StateBox?

  // By the performer.

  /// Counted, so that it can be asked whether there are other references to it.
  @exclusivity(unchecked) final var commit: Commit
  /// Those of the commit.
  @exclusivity(unchecked) private(set) final var facts: UnsafeMutablePointer<Commit.Facts>
  /// The cell that the operation in progress named after this one; borrowed.
  @exclusivity(unchecked) final var next: Borrowed<StateCell>?
  /// How the draft is lent: -1 to a writer, above 0 to that many readers.
  @exclusivity(unchecked) final var access = 0
  /// The last commit that waits for a listener. Owned by the queues that it waits in: it owns the substance, and so
  /// this cell.
  @exclusivity(unchecked) weak final var lastWaiting: WaitingCommit?
  /// The same commit as the cell's own, if that waits for a listener; until all have been notified of it.
  @exclusivity(unchecked) final var currentWaiting: WaitingCommit?
  /// Whether there may be a last commit that waits, so that it is not looked for while none does (fast path).
  @exclusivity(unchecked) final var isRecording = false

  /// The last committed state. Written by the performer, and for an operation over several substances under
  /// `snapshots`; readers hold that lock while they pin what they found here. Owned.
  private final let committed: Atomic<Unmanaged<StateBox>>
  /// How many commits there were. Raised before the state becomes the committed one: whoever finds the number of a
  /// state that is known knows that it is still the last.
  private final let commitCount = Atomic<Int>(0)
  /// The thread whose closures may touch the draft; 0 outside a mix.
  private final let mixingThread = Atomic<UInt>(0)

  init(layout: StateLayout, initial: StateBox, snapshots: Lock<Void>) {
    self.layout = layout
    self.snapshots = snapshots
    // Copies both, so that their padding is alike and no comparison stumbles over it.
    let (state, draft) = (initial.copy(), initial.copy())
    committed = Atomic(.passRetained(state))
    commit = Commit(layout: layout, old: state, new: draft)
    facts = commit.facts
    _ = Unmanaged.passRetained(draft)
    facts.pointee.cell = .passUnretained(self)
  }

  deinit {
    committed.load(ordering: .acquiring).release()
    facts.pointee.new.release()
  }

  // MARK: Overridden by the one subclass

  /// The substance, which must be alive.
  var owner: AnyObject { self }
  /// Reports a fault of the substance.
  func report(_ kind: FlaskFault.Kind, _ message: String, at location: SourcePlace? = nil) {}
  /// How many operations have led to the commit that listeners are being notified of: see `Flux.causeCount`. Reports it
  /// if there are many.
  func countCauses() -> Int { 0 }
  /// Performs `body` as what is told of a commit is performed.
  func performInContext(_ body: () -> Void) { body() }
  /// Performs `body`, which tells a listener of a commit that has waited: that of an operation with a number, 0 if it
  /// was not traced.
  func performInContext(of operation: Int, tellingReactorOf ownerType: Any.Type?, _ body: () -> Void) {
    performInContext(body)
  }
  /// The number of the operation that this thread performs; 0 if it is not traced.
  var operationNumber: Int { 0 }

  /// Makes a copy of `box` the state, while no operation uses the cell. Returns what is to be released with no lock
  /// held.
  @discardableResult
  package final func install(_ box: StateBox) -> [StateBox] {
    let (state, draft) = (Unmanaged.passRetained(box.copy()), Unmanaged.passRetained(box.copy()))
    state._withUnsafeGuaranteedRef { $0.number = committedVersion }
    // Under the lock, since a reader may be about to pin the old one.
    let old = snapshots.withLock { _ in committed.exchange(state, ordering: .sequentiallyConsistent) }
    let boxes = [old.takeRetainedValue(), facts.pointee.new.takeRetainedValue()]
    setBoxes(old: state, new: draft)
    return boxes
  }

  @inline(__always)
  final func setBoxes(old: Unmanaged<StateBox>, new: Unmanaged<StateBox>) {
    let facts = facts
    facts.pointee.old = old
    facts.pointee.new = new
    facts.pointee.oldAddress = old._withUnsafeGuaranteedRef { $0.address }
    facts.pointee.newAddress = new._withUnsafeGuaranteedRef { $0.address }
  }

  // MARK: Drafts, by the performer

  /// True while the running thread performs an operation that has named this substance.
  @inline(__always)
  package final var isOpen: Bool { mixingThread.load(ordering: .relaxed) == ThreadIdentity.current }

  /// - Returns: false if it was open here.
  @inline(__always)
  final func openUnlessOpen() -> Bool {
    let here = ThreadIdentity.current
    if mixingThread.load(ordering: .relaxed) == here { return false }
    mixingThread.store(here, ordering: .relaxed)
    return true
  }

  @inline(__always)
  final func open() { mixingThread.store(ThreadIdentity.current, ordering: .relaxed) }

  /// Ends what `open` began; what was lent is given back.
  @inline(__always)
  final func close() {
    mixingThread.store(0, ordering: .relaxed)
    access = 0
  }

  /// Where closures write while the cell is open.
  @inline(__always)
  package final var draft: UnsafeMutableRawPointer { facts.pointee.newAddress }

  // MARK: Committing, by the performer

  /// Finds what the draft changed, and closes it.
  ///
  /// - Returns: whether it changed anything.
  @inline(__always)
  @discardableResult
  package final func reduce() -> Bool {
    close()
    let facts = facts
    layout.compare(
      old: facts.pointee.oldAddress,
      new: facts.pointee.newAddress,
      into: &facts.pointee.changes
    )
    return changes.pointee.hasDirty
  }

  /// What `reduce()` found. Stays where it is until the operation has been settled.
  @inline(__always)
  package final var changes: UnsafeMutablePointer<ChangeSet> {
    UnsafeMutableRawPointer(facts).assumingMemoryBound(to: ChangeSet.self)
  }

  /// Whether a key is among them.
  final func isChanged(_ key: Int) -> Bool { commit.isChanged(key) }

  /// The draft becomes the state.
  @inline(__always)
  package final func publish() {
    let number = commitCount.load(ordering: .relaxed) &+ 1
    commitCount.store(number, ordering: .releasing)
    facts.pointee.new._withUnsafeGuaranteedRef { $0.number = number }
    // Comes before `settle()` looks for pins in the order that all threads agree on; see
    // `pinCommittedUnderLock()`.
    _ = committed.exchange(facts.pointee.new, ordering: .sequentiallyConsistent)
  }

  /// Calls `body` with the commit that has just been published. `performer` is the running thread.
  @inline(__always)
  final func withCommit(
    companion: AnyObject?,
    isolation: ActorIdentity,
    by performer: UInt,
    _ body: (Commit) -> Void
  ) {
    let facts = facts
    facts.pointee.performer = performer
    facts.pointee.isolation = isolation
    facts.pointee.companion = companion.map { Unmanaged.passUnretained($0) }
    Unmanaged.passUnretained(commit)._withUnsafeGuaranteedRef(body)
    if isRecording { recordAfterWaiting() }
  }

  /// Calls `body` with the states of the commit that has just been published.
  final func withCommitBeingTold(_ body: (_ old: UnsafeRawPointer, _ new: UnsafeRawPointer) -> Void) {
    body(UnsafeRawPointer(facts.pointee.oldAddress), UnsafeRawPointer(facts.pointee.newAddress))
  }

  /// Makes the draft equal to the state again, after a commit: old values go.
  @inline(__always)
  package final func settle() {
    if !isKnownUniquelyReferenced(&commit) { return settleKept() }
    let facts = facts
    let (old, new) = (facts.pointee.old, facts.pointee.new)
    let (oldAddress, newAddress) = (facts.pointee.oldAddress, facts.pointee.newAddress)
    if old._withUnsafeGuaranteedRef({ $0.isPinned }) {
      setBoxes(old: new, new: replacement(for: old, copying: new))
    } else {
      layout.copyDirty(changes, from: newAddress, to: oldAddress)
      facts.pointee.old = new
      facts.pointee.new = old
      facts.pointee.oldAddress = newAddress
      facts.pointee.newAddress = oldAddress
    }
  }

  /// Somebody kept the commit: it takes the boxes along, and the cell gets a new one.
  @inline(never)
  private func settleKept() {
    let kept = commit
    kept.keep()
    let (old, new) = (facts.pointee.old, facts.pointee.new)
    let draft = replacement(for: old, copying: new)
    commit = Commit(of: self, old: new.takeUnretainedValue(), new: draft.takeUnretainedValue())
    facts = commit.facts
  }

  /// A new draft with a copy of `new`, in place of a box that somebody reads or keeps.
  @inline(never)
  private func replacement(
    for old: Unmanaged<StateBox>,
    copying new: Unmanaged<StateBox>
  ) -> Unmanaged<StateBox> {
    let draft = new.takeUnretainedValue().copy()
    // A reader who found it while it was the state, and is about to pin it in vain, has let go of it when the lock is
    // free.
    snapshots.withLock { _ in }
    old.release()
    return .passRetained(draft)
  }

  /// Throws the draft away, whatever it holds.
  final func discard() {
    close()
    _ = layout.copyDifferences(from: facts.pointee.oldAddress, to: draft)
  }

  /// Finds what the open draft has changed so far.
  package final func compareDraft(into changes: inout ChangeSet) {
    layout.compare(old: facts.pointee.oldAddress, new: facts.pointee.newAddress, into: &changes)
  }

  // MARK: State, from any thread

  /// The version of the last committed state, or of one that is about to be committed.
  @inline(__always)
  package final var committedVersion: Int { commitCount.load(ordering: .acquiring) }

  /// The same, for somebody who has just asked for notices: in the order that all threads agree on, either this is
  /// the version of a commit, or its performer finds, after it has published, that they are wanted.
  package final var publishedVersion: Int {
    _ = committed.load(ordering: .sequentiallyConsistent)
    return committedVersion
  }

  /// The last committed state, pinned: the caller unpins it.
  package final func pinCommitted() -> StateBox { snapshots.withLock { _ in pinCommittedUnderLock() } }

  /// Pins first and looks then whether it is still the state: if so, whoever replaces it later will see the pin. In an
  /// order that all threads agree on, either the performer's exchange comes before this look, or this pin before the
  /// performer's.
  package final func pinCommittedUnderLock() -> StateBox {
    while true {
      let found = committed.load(ordering: .sequentiallyConsistent)
      let box = found.takeUnretainedValue()
      box.pin()
      if committed.load(ordering: .sequentiallyConsistent).toOpaque() == found.toOpaque() { return box }
      box.unpin()
    }
  }

  /// Whether a box, which is pinned, is still the state.
  final func isCommitted(_ box: StateBox) -> Bool {
    committed.load(ordering: .sequentiallyConsistent).toOpaque() == Unmanaged.passUnretained(box).toOpaque()
  }
}
