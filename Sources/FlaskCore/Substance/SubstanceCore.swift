@_spi(FlaskInternals) internal import FlaskArchive
@_spi(FlaskInternals) internal import FlaskDiff
internal import Synchronization

/// What the flux knows of a substance: its committed state, its draft, and who listens. Knows no state type.
///
/// Committed state and draft lie side by side in two boxes. A mix writes into the draft; committing swaps the
/// boxes, so the old state is still whole while reactions are delivered; then what changed is copied over and the
/// boxes are alike again. Whoever kept a box gets to keep it: the substance takes a new one.
///
/// `@unchecked Sendable`: `committed` is atomic, and says below who may use what it refers to; `restorePoint` is touched under `flux.commitLock`; `memory` and `record` belong to the performer of the flux, and the flux's queue hands
/// them from one thread to the next. The pointers are made by `init` and freed by `deinit`; behind pointers, because each access
/// to a stored variable of a class costs a dynamic check, which was a fifth of a mix; several, because ThreadSanitizer takes a
/// write to one property for a write to the whole.
final class SubstanceCore: @unchecked Sendable {
  /// References that this owns without counting: each was retained when it was stored and is released when it is replaced,
  /// so that reading one costs nothing.
  private struct Memory {
    /// What `committed` refers to.
    var committed: Unmanaged<StateBox>
    var draft: Unmanaged<StateBox>
    var committedAddress: UnsafeMutableRawPointer
    var draftAddress: UnsafeMutableRawPointer
    var changes: UnsafeMutablePointer<ChangeSet>
    /// The substance that the operation in progress named after this one; borrowed.
    var next: Unmanaged<SubstanceCore>?
  }

  let flux: Flux
  let layout: StateLayout
  let place: SourcePlace
  /// Set once, by the initialiser of the substance, before anybody else sees the core.
  private var owner: Unmanaged<AnySubstance>?
  private let memory: UnsafeMutablePointer<Memory>
  private let record: UnsafeMutablePointer<ReactionRecord>
  private let restorePoint: UnsafeMutablePointer<StateBox?>

  /// The last committed state. Written by the performer, and for an operation over several substances under `flux.commitLock`; readers hold
  /// that lock while they pin what they found here. Owned.
  private let committed: Atomic<Unmanaged<StateBox>>

  /// Who listens.
  let audience: Audience

  private let archived = Atomic<Bool>(false)
  private let savable = Atomic<Bool>(false)

  /// The thread whose closures may touch the draft; 0 outside a mix.
  private let mixingThread = Atomic<UInt>(0)

  init(flux: Flux, layout: StateLayout, initial: StateBox, place: SourcePlace) {
    self.flux = flux
    self.layout = layout
    self.place = place
    let first = ReactionRecord()
    record = .allocate(capacity: 1)
    record.initialize(to: first)
    restorePoint = .allocate(capacity: 1)
    restorePoint.initialize(to: nil)
    // Copies both, so that their padding is alike and no comparison stumbles over it.
    let (state, draft) = (initial.copy(), initial.copy())
    committed = Atomic(.passRetained(state))
    audience = Audience(flux: flux, keyCount: layout.keyCount)
    memory = .allocate(capacity: 1)
    memory.initialize(
      to: Memory(
        committed: .passUnretained(state),
        draft: .passRetained(draft),
        committedAddress: state.address,
        draftAddress: draft.address,
        changes: first.changes,
        next: nil
      )
    )
  }

  deinit {
    committed.load(ordering: .acquiring).release()
    memory.pointee.draft.release()
    memory.deinitialize(count: 1)
    memory.deallocate()
    record.deinitialize(count: 1)
    record.deallocate()
    restorePoint.deinitialize(count: 1)
    restorePoint.deallocate()
  }

  func belong(to substance: AnySubstance) { owner = Unmanaged.passUnretained(substance) }

  /// The substance that this is the core of, and which holds it; so it must be alive. The hot path holds on to the core,
  /// not to the substance: that has weak references, and so slow reference counts.
  var substance: AnySubstance { owner.unsafelyUnwrapped.takeUnretainedValue() }

  /// Whether the substance is to be told of each commit.
  var isArchived: Bool {
    get { archived.load(ordering: .relaxed) }
    set { archived.store(newValue, ordering: .relaxed) }
  }

  /// Whether a save that falls due may take the state: what the substance answered when it was asked last.
  var isSavable: Bool {
    get { savable.load(ordering: .relaxed) }
    set { savable.store(newValue, ordering: .relaxed) }
  }

  /// Makes `box` the state, before anybody else sees the core.
  func install(_ box: StateBox) {
    let new = box.copy()
    memory.pointee.committed = .passRetained(new)
    memory.pointee.committedAddress = new.address
    committed.exchange(memory.pointee.committed, ordering: .sequentiallyConsistent).release()
    replaceDraft()
  }

  // MARK: Drafts, by the performer

  /// True while the running thread performs an operation that has named this substance.
  @inline(__always)
  var isOpen: Bool { mixingThread.load(ordering: .relaxed) == ThreadIdentity.current }

  @inline(__always)
  func open() { mixingThread.store(ThreadIdentity.current, ordering: .relaxed) }

  @inline(__always)
  func close() { mixingThread.store(0, ordering: .relaxed) }

  /// Where closures write while the substance is open.
  @inline(__always)
  var draft: UnsafeMutableRawPointer { memory.pointee.draftAddress }

  /// Finds what the draft changed, and closes it.
  @inline(__always)
  func reduce() {
    close()
    layout.compare(
      old: memory.pointee.committedAddress,
      new: memory.pointee.draftAddress,
      into: &memory.pointee.changes.pointee
    )
  }

  /// What `reduce()` found. Stays where it is until the operation has been settled.
  @inline(__always)
  var changes: UnsafeMutablePointer<ChangeSet> { memory.pointee.changes }

  /// The draft becomes the state.
  @inline(__always)
  func publish() {
    let old = memory.pointee.committed
    let oldAddress = memory.pointee.committedAddress
    memory.pointee.committed = memory.pointee.draft
    memory.pointee.committedAddress = memory.pointee.draftAddress
    memory.pointee.draft = old
    memory.pointee.draftAddress = oldAddress
    // Comes before `settle()` looks for pins in the order that all threads agree on; see `pinCommitted()`.
    _ = committed.exchange(memory.pointee.committed, ordering: .sequentiallyConsistent)
  }

  /// Tells the commit that has just been made.
  @inline(__always)
  func deliver(round: Int, lock: FluxLock?, isolation: ActorIdentity) {
    if audience.isEmpty { return }
    Unmanaged.passUnretained(record.pointee)._withUnsafeGuaranteedRef { record in
      record.describe(
        self,
        old: memory.pointee.draft,
        memory.pointee.draftAddress,
        new: memory.pointee.committed,
        memory.pointee.committedAddress,
        lock: lock
      )
      audience.hear(record, round: round, isolation: isolation)
    }
  }

  /// Makes the draft equal to the state again, after a commit: old values go.
  @inline(__always)
  func settle() {
    if record.pointee.isPosted || !isKnownUniquelyReferenced(&record.pointee) {
      settleKept()
    } else if memory.pointee.draft._withUnsafeGuaranteedRef({ $0.isPinned }) {
      replaceDraft()
    } else {
      layout.copyDirty(memory.pointee.changes, from: memory.pointee.committedAddress, to: draft)
    }
  }

  /// Somebody kept the record: it takes the boxes along, and the next commit gets a new one.
  @inline(never)
  private func settleKept() {
    record.pointee.keep()
    record.pointee = ReactionRecord()
    memory.pointee.changes = record.pointee.changes
    replaceDraft()
  }

  /// Somebody kept the draft: it gets to keep it.
  @inline(never)
  private func replaceDraft() {
    let old = memory.pointee.draft
    let new = memory.pointee.committed.takeUnretainedValue().copy()
    memory.pointee.draft = .passRetained(new)
    memory.pointee.draftAddress = new.address
    // A reader who found it while it was the state, and is about to pin it in vain, has let go of it when the lock is free.
    flux.commitLock.withLock { _ in }
    old.release()
  }

  /// Throws the draft away, whatever it holds.
  func discard() {
    close()
    _ = layout.copyDifferences(from: memory.pointee.committedAddress, to: draft)
  }

  /// Writes the restore point into the draft; false if there is none.
  func draftRestorePoint() -> Bool {
    guard let restorePoint = flux.commitLock.withLock({ _ in restorePoint.pointee }) else { return false }
    // Another thread may drop the restore point meanwhile.
    withExtendedLifetime(restorePoint) {
      _ = layout.copyDifferences(from: restorePoint.address, to: draft)
    }
    return true
  }

  // MARK: The substances of an operation, by the performer

  /// The substance that the operation in progress named after this one.
  var next: Unmanaged<SubstanceCore>? {
    get { memory.pointee.next }
    set { memory.pointee.next = newValue }
  }

  // MARK: State, from any thread

  /// The last committed state, pinned: the caller unpins it.
  func pinCommitted() -> StateBox { flux.commitLock.withLock { _ in pinCommittedUnderLock() } }

  /// Pins first and looks then whether it is still the state: if so, whoever replaces it later will see the pin. In an order
  /// that all threads agree on, either the performer's exchange comes before this look, or this pin before the performer's.
  private func pinCommittedUnderLock() -> StateBox {
    while true {
      let found = committed.load(ordering: .sequentiallyConsistent)
      let box = found.takeUnretainedValue()
      box.pin()
      if committed.load(ordering: .sequentiallyConsistent).toOpaque() == found.toOpaque() { return box }
      box.unpin()
    }
  }

  var hasRestorePoint: Bool { flux.commitLock.withLock { _ in restorePoint.pointee != nil } }

  func setRestorePoint(_ isWanted: Bool) {
    let old = flux.commitLock.withLock { _ in
      let old = restorePoint.pointee
      restorePoint.pointee = isWanted ? pinCommittedUnderLock() : nil
      return old
    }
    old?.unpin()
  }
}
