@_spi(FlaskInternals) internal import FlaskArchive
internal import FlaskDiff
internal import Synchronization

/// What the flux knows of a substance: its committed state, its draft, and who listens. Knows no state type.
///
/// Committed state and draft lie side by side in two boxes. A mix writes into the draft; committing swaps the
/// boxes, so the old state is still whole while reactions are delivered; then what changed is copied over and the
/// boxes are alike again. Whoever kept a box gets to keep it: the substance takes a new one.
///
/// `@unchecked Sendable`: of `memory`, `committed` and `restorePoint` are written under `flux.commitLock`, and read under it
/// or by the performer; `audience` is touched under that lock alone; the rest of `memory` and `record` belong to the
/// performer of the flux, and the flux's queue hands them from one thread to the next. The pointers are made by `init` and
/// freed by `deinit`; behind pointers, because each access to a stored variable of a class costs a dynamic check, which was a
/// fifth of a mix; several, because ThreadSanitizer takes a write to one property for a write to the whole.
final class SubstanceCore: @unchecked Sendable {
  /// References that this owns without counting: each was retained when it was stored and is released when it is replaced,
  /// so that reading one costs nothing.
  private struct Memory {
    var committed: Unmanaged<StateBox>
    var draft: Unmanaged<StateBox>
    var committedAddress: UnsafeMutableRawPointer
    var draftAddress: UnsafeMutableRawPointer
    var changes: UnsafeMutablePointer<ChangeSet>
    var restorePoint: StateBox?

    init(committed: StateBox, draft: StateBox, record: ReactionRecord) {
      self.committed = .passRetained(committed)
      self.draft = .passRetained(draft)
      committedAddress = committed.address
      draftAddress = draft.address
      changes = record.changes
    }
  }

  /// Who listens.
  private struct Audience {
    var listeners: [ReactionListener] = []
    var observers = ObserverIndex()
  }

  let flux: Flux
  let layout: StateLayout
  let place: SourcePlace
  /// Set once, by the initialiser of the substance, before anybody else sees the core.
  private var owner: Unmanaged<AnySubstance>?
  private let memory: UnsafeMutablePointer<Memory>
  private let record: UnsafeMutablePointer<ReactionRecord>
  private let audience: UnsafeMutablePointer<Audience>

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
    audience = .allocate(capacity: 1)
    audience.initialize(to: Audience())
    memory = .allocate(capacity: 1)
    // Copies both, so that their padding is alike and no comparison stumbles over it.
    memory.initialize(to: Memory(committed: initial.copy(), draft: initial.copy(), record: first))
  }

  deinit {
    memory.pointee.committed.release()
    memory.pointee.draft.release()
    memory.deinitialize(count: 1)
    memory.deallocate()
    record.deinitialize(count: 1)
    record.deallocate()
    audience.deinitialize(count: 1)
    audience.deallocate()
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
    memory.pointee.committed.release()
    let box = box.copy()
    memory.pointee.committed = .passRetained(box)
    memory.pointee.committedAddress = box.address
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

  /// The draft becomes the state. `flux.commitLock` is held. Returns who listens.
  @inline(__always)
  func swapUnderLock() -> (listeners: [ReactionListener], observers: ObserverIndex) {
    swap(&memory.pointee.committed, &memory.pointee.draft)
    swap(&memory.pointee.committedAddress, &memory.pointee.draftAddress)
    return (audience.pointee.listeners, audience.pointee.observers)
  }

  /// Tells the commit that has just been made: reactors first, then the observers of what changed.
  @inline(__always)
  func deliver(
    to audience: (listeners: [ReactionListener], observers: ObserverIndex),
    lock: FluxLock?,
    isolation: (any Actor)?
  ) {
    if audience.listeners.isEmpty && audience.observers.isEmpty { return }
    let record = self.record.pointee
    record.describe(
      self,
      old: memory.pointee.draft,
      memory.pointee.draftAddress,
      new: memory.pointee.committed,
      memory.pointee.committedAddress,
      lock: lock
    )
    tell(record, to: audience.listeners, isolation: isolation)
    if audience.observers.isEmpty { return }
    tell(record, to: audience.observers[-1], isolation: isolation)
    memory.pointee.changes.pointee.forEachKey {
      tell(record, to: audience.observers[$0], isolation: isolation)
    }
  }

  /// The array holds the listeners meanwhile, so they need not be counted one by one.
  @inline(__always)
  private func tell(_ record: ReactionRecord, to listeners: [ReactionListener], isolation: (any Actor)?) {
    listeners.withUnsafeBufferPointer { listeners in
      for index in listeners.indices {
        Unmanaged.passUnretained(listeners[index])._withUnsafeGuaranteedRef {
          $0.receive(record, on: isolation)
        }
      }
    }
  }

  /// Makes the draft equal to the state again, after a commit: old values go.
  @inline(__always)
  func settle() {
    if !isKnownUniquelyReferenced(&record.pointee) {
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
    let new = memory.pointee.committed.takeUnretainedValue().copy()
    memory.pointee.draft.release()
    memory.pointee.draft = .passRetained(new)
    memory.pointee.draftAddress = new.address
  }

  /// Throws the draft away, whatever it holds.
  func discard() {
    close()
    _ = layout.copyDifferences(from: memory.pointee.committedAddress, to: draft)
  }

  /// Writes the restore point into the draft; false if there is none.
  func draftRestorePoint() -> Bool {
    guard let restorePoint = flux.commitLock.withLock({ _ in memory.pointee.restorePoint }) else {
      return false
    }
    // Another thread may drop the restore point meanwhile.
    withExtendedLifetime(restorePoint) {
      _ = layout.copyDifferences(from: restorePoint.address, to: draft)
    }
    return true
  }

  // MARK: State, from any thread

  /// The last committed state, pinned: the caller unpins it.
  func pinCommitted() -> StateBox {
    flux.commitLock.withLock { _ in
      let box = memory.pointee.committed.takeUnretainedValue()
      box.pin()
      return box
    }
  }

  var hasRestorePoint: Bool { flux.commitLock.withLock { _ in memory.pointee.restorePoint != nil } }

  func setRestorePoint(_ isWanted: Bool) {
    let old = flux.commitLock.withLock { _ in
      let old = memory.pointee.restorePoint
      let committed = memory.pointee.committed.takeUnretainedValue()
      if isWanted { committed.pin() }
      memory.pointee.restorePoint = isWanted ? committed : nil
      return old
    }
    old?.unpin()
  }

  // MARK: Listeners, from any thread. Callers hold what they remove: releasing it may run code of the user's.

  /// Adds the listener of a reactor at the end, or in place of the one that the reactor had.
  func add(_ listener: ReactionListener) {
    flux.commitLock.withLock { _ in
      if let index = audience.pointee.listeners.firstIndex(where: { $0.members === listener.members }) {
        audience.pointee.listeners[index] = listener
      } else {
        audience.pointee.listeners.append(listener)
      }
    }
  }

  /// Removes the listener of a reactor.
  func remove(_ listener: ReactionListener) {
    flux.commitLock.withLock { _ in
      audience.pointee.listeners.removeAll { $0.members === listener.members }
    }
  }

  /// Adds an observer of a key, or of everything (-1).
  func add(_ observer: ReactionListener, key: Int) {
    flux.commitLock.withLock { _ in
      audience.pointee.observers.add(observer, key: key, keyCount: layout.keyCount)
    }
  }

  /// Removes an observer.
  func remove(_ observer: ReactionListener, key: Int) {
    flux.commitLock.withLock { _ in audience.pointee.observers.remove(observer, key: key) }
  }
}
