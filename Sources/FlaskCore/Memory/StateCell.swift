@_spi(FlaskInternals) internal import FlaskArchive
@_spi(FlaskInternals) internal import FlaskDiff
internal import Synchronization

/// The committed state and the draft of one substance, side by side. Knows no state type.
///
/// A mix writes into the draft. Committing publishes the draft's box, so that the old state is still whole while
/// reactions are delivered; then what changed is copied over, and the old box is the next draft (double buffer).
/// Whoever kept a box gets to keep it: the cell takes a new one.
///
/// Its one subclass adds what the flux knows of a substance.
///
/// `@unchecked Sendable`: `committed` is atomic, and says below who may use what it refers to; `restorePoint` is
/// touched under `snapshots`; `memory` belongs to the performer of the flux, and the flux's queue hands it from one
/// thread to the next. The pointers are made by `init` and freed by `deinit`; they are several, because ThreadSanitizer
/// takes a write to one part of a pointee for a write to the whole.
@usableFromInline
class StateCell: @unchecked Sendable {
  /// References that the cell owns without counting: each was retained when it was stored and is released when it is
  /// replaced, so that reading one costs nothing.
  struct Memory {
    /// Counted, so that it can be asked whether anybody else has it.
    var commit: Commit
    /// Those of the commit.
    var facts: UnsafeMutablePointer<Commit.Facts>
    /// The cell that the operation in progress named after this one; borrowed.
    var next: Borrowed<StateCell>?
    /// How the draft is lent: -1 to a writer, above 0 to that many readers.
    var access = 0
    /// The last commit that waits for somebody. Owned by those who wait: it owns the substance, and so this cell.
    weak var lastWaiting: WaitingCommit?
    /// The same commit as the cell's own, if that waits for somebody; until everybody has been told of it.
    var currentWaiting: WaitingCommit?
    /// Whether there may be a last commit that waits, so that nobody has to look while nobody waits (fast path).
    var isRecording = false
  }

  final let layout: StateLayout
  /// Held by whoever looks for a committed state; one lock for all cells of a flux.
  final let snapshots: Lock<Void>
  final let memory: UnsafeMutablePointer<Memory>
  /// Pinned. Touched under `snapshots`.
  final let restorePoint: UnsafeMutablePointer<StateBox?>
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
    restorePoint = .allocate(capacity: 1)
    restorePoint.initialize(to: nil)
    memory = .allocate(capacity: 1)
    let commit = Commit(of: self, old: state, new: draft)
    _ = Unmanaged.passRetained(draft)
    memory.initialize(to: Memory(commit: commit, facts: commit.facts))
  }

  deinit {
    committed.load(ordering: .acquiring).release()
    memory.pointee.facts.pointee.new.release()
    memory.deinitialize(count: 1)
    memory.deallocate()
    restorePoint.deinitialize(count: 1)
    restorePoint.deallocate()
  }

  // MARK: Overridden by the one subclass

  /// The substance, which must be alive.
  var owner: AnyObject { self }
  /// Reports a fault of the substance.
  func report(_ kind: FlaskFault.Kind, _ message: String, at location: SourceLocation? = nil) {}
  /// Performs `body` as what is told of a commit is performed.
  func performInContext(_ body: () -> Void) { body() }
  /// Performs `body`, which tells a listener of a commit that has waited: that of an operation with a number, 0 if it
  /// was not traced.
  func performInContext(of operation: Int, tellingReactorOf ownerType: Any.Type?, _ body: () -> Void) {
    performInContext(body)
  }
  /// The number of the operation that this thread performs; 0 if it is not traced.
  var operationNumber: Int { 0 }

  /// Makes a copy of `box` the state, before anybody else sees the cell, or while nobody reads it.
  final func install(_ box: StateBox) {
    let facts = memory.pointee.facts
    let (state, draft) = (Unmanaged.passRetained(box.copy()), Unmanaged.passRetained(box.copy()))
    state._withUnsafeGuaranteedRef { $0.number = committedVersion }
    facts.pointee.new.release()
    committed.exchange(state, ordering: .sequentiallyConsistent).release()
    setBoxes(old: state, new: draft)
  }

  @inline(__always)
  private func setBoxes(old: Unmanaged<StateBox>, new: Unmanaged<StateBox>) {
    let facts = memory.pointee.facts
    facts.pointee.old = old
    facts.pointee.new = new
    facts.pointee.oldAddress = old._withUnsafeGuaranteedRef { $0.address }
    facts.pointee.newAddress = new._withUnsafeGuaranteedRef { $0.address }
  }

  // MARK: Drafts, by the performer

  /// True while the running thread performs an operation that has named this substance.
  @inline(__always)
  final var isOpen: Bool { mixingThread.load(ordering: .relaxed) == ThreadIdentity.current }

  @inline(__always)
  final func open() { mixingThread.store(ThreadIdentity.current, ordering: .relaxed) }

  @inline(__always)
  final func close() { mixingThread.store(0, ordering: .relaxed) }

  /// Where closures write while the cell is open.
  @inline(__always)
  final var draft: UnsafeMutableRawPointer { memory.pointee.facts.pointee.newAddress }

  /// Lends the draft to one writer; `nil` if the cell is not open here, or is lent already.
  @inline(__always)
  final func beginWriting() -> UnsafeMutableRawPointer? {
    guard isOpen, memory.pointee.access == 0 else { return nil }
    memory.pointee.access = -1
    return draft
  }

  @inline(__always)
  final func endWriting() { memory.pointee.access = 0 }

  /// Lends the draft to the closure of a mix, until `endWriting()`.
  @inline(__always)
  final func lendDraft() { memory.pointee.access = -1 }

  /// Lends the draft to one more reader; `nil` if the cell is not open here, or is lent to a writer.
  @inline(__always)
  final func beginReadingDraft() -> UnsafeMutableRawPointer? {
    guard isOpen, memory.pointee.access >= 0 else { return nil }
    memory.pointee.access += 1
    return draft
  }

  @inline(__always)
  final func endReadingDraft() { memory.pointee.access -= 1 }

  // MARK: Committing, by the performer

  /// Finds what the draft changed, and closes it.
  @inline(__always)
  final func reduce() {
    close()
    let facts = memory.pointee.facts
    layout.compare(
      old: facts.pointee.oldAddress,
      new: facts.pointee.newAddress,
      into: &facts.pointee.changes
    )
  }

  /// What `reduce()` found. Stays where it is until the operation has been settled.
  @inline(__always)
  final var changes: UnsafeMutablePointer<ChangeSet> {
    UnsafeMutableRawPointer(memory.pointee.facts).assumingMemoryBound(to: ChangeSet.self)
  }

  /// Whether a key is among them, also one of a property wrapper that took no part until it was asked for.
  final func isChanged(_ key: Int) -> Bool { memory.pointee.commit.isChangedAfterAll(key) }

  /// The draft becomes the state.
  @inline(__always)
  final func publish() {
    let number = commitCount.load(ordering: .relaxed) &+ 1
    commitCount.store(number, ordering: .releasing)
    memory.pointee.facts.pointee.new._withUnsafeGuaranteedRef { $0.number = number }
    // Comes before `settle()` looks for pins in the order that all threads agree on; see `pinCommitted()`.
    _ = committed.exchange(memory.pointee.facts.pointee.new, ordering: .sequentiallyConsistent)
  }

  /// Calls `body` with the commit that has just been published.
  @inline(__always)
  final func withCommit(
    companion: AnyObject?,
    isolation: ActorIdentity,
    _ body: (Commit) -> Void
  ) {
    let facts = memory.pointee.facts
    facts.pointee.performer = ThreadIdentity.current
    facts.pointee.isolation = isolation
    facts.pointee.companion = companion.map { Unmanaged.passUnretained($0) }
    Unmanaged.passUnretained(memory.pointee.commit)._withUnsafeGuaranteedRef(body)
    if memory.pointee.isRecording { recordForThoseWhoWait() }
  }

  /// Calls `body` with the states of the commit that has just been published.
  final func withCommitBeingTold(_ body: (_ old: UnsafeRawPointer, _ new: UnsafeRawPointer) -> Void) {
    let facts = memory.pointee.facts
    body(UnsafeRawPointer(facts.pointee.oldAddress), UnsafeRawPointer(facts.pointee.newAddress))
  }

  /// Makes the draft equal to the state again, after a commit: old values go.
  @inline(__always)
  final func settle() {
    if !isKnownUniquelyReferenced(&memory.pointee.commit) { return settleKept() }
    let facts = memory.pointee.facts
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
    let kept = memory.pointee.commit
    kept.keep()
    let facts = kept.facts
    let (old, new) = (facts.pointee.old, facts.pointee.new)
    let draft = replacement(for: old, copying: new)
    let commit = Commit(of: self, old: new.takeUnretainedValue(), new: draft.takeUnretainedValue())
    memory.pointee.commit = commit
    memory.pointee.facts = commit.facts
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
    _ = layout.copyDifferences(from: memory.pointee.facts.pointee.oldAddress, to: draft)
  }

  /// Finds what the open draft has changed so far.
  final func compareDraft(into changes: inout ChangeSet) {
    let facts = memory.pointee.facts
    layout.compare(old: facts.pointee.oldAddress, new: facts.pointee.newAddress, into: &changes)
  }

  /// The cell that the operation in progress named after this one.
  @inline(__always)
  final var next: Borrowed<StateCell>? {
    get { memory.pointee.next }
    set { memory.pointee.next = newValue }
  }

  // MARK: State, from any thread

  /// The version of the last committed state, or of one that is about to be committed.
  @inline(__always)
  final var committedVersion: Int { commitCount.load(ordering: .acquiring) }

  /// The same, for somebody who has just asked for notices: in the order that all threads agree on, either this is
  /// the version of a commit, or its performer finds, after it has published, that they are wanted.
  final var publishedVersion: Int {
    _ = committed.load(ordering: .sequentiallyConsistent)
    return committedVersion
  }

  /// The last committed state, pinned: the caller unpins it.
  final func pinCommitted() -> StateBox { snapshots.withLock { _ in pinCommittedUnderLock() } }

  /// Pins first and looks then whether it is still the state: if so, whoever replaces it later will see the pin. In an
  /// order that all threads agree on, either the performer's exchange comes before this look, or this pin before the
  /// performer's.
  final func pinCommittedUnderLock() -> StateBox {
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
