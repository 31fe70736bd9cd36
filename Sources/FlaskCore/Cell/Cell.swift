package import FlaskPrimitives
internal import Synchronization

/// The part of a substance that its flux uses: the committed state and the draft, as a double buffer, and the
/// listeners. Type-erased.
///
/// A mix writes into the draft. Committing publishes the draft's box. The old state stays whole while reactions are
/// delivered. Then the changed values are copied to the old box, which becomes the next draft (double buffer). If a
/// commit or a snapshot still uses a box, the box stays with the commit or the snapshot, and the cell takes a new box.
///
/// ```text
///                    box A             box B
/// mix                committed: 1      draft: 1, then 2
/// publish            old: 1            committed: 2        one exchange of `committed`
/// notify             old: 1            committed: 2        reactions read both in place
/// settle             draft: 2          committed: 2        the changed values are copied to A
/// ```
///
/// `@unchecked Sendable`:
/// - Isolation: `committed` is atomic, and its comment says who may use the box; `restorePoint`, `present`, `confirmed`
///   and `noticeCount` are guarded by `snapshotLock`; all other variables belong to the performer of the flux, and the
///   flux's queue synchronizes the change of threads.
/// - Invariant: `substance`, `isOfClientClass` and `notifyPublished` are set once, before another thread sees the cell.
///   No access to a variable calls code that uses the same cell, so the dynamic checks of exclusive access are
///   disabled.
/// - If violated: a data race, or an overlapping access.
@usableFromInline
package final class Cell: @unchecked Sendable {
  @usableFromInline package let subject: Subject
  package let flux: Flux
  package let listeners: Listeners
  package let layout: StateLayout
  /// The lock that a reader holds while it gets a committed state and pins it. All cells of a flux share this lock.
  package let snapshotLock: Lock<Void>
  /// Whether the state is derived from other states, so that client code never mixes it.
  package let isDerived: Bool
  /// The substance, which retains this cell. The cell does not retain the substance.
  @exclusivity(unchecked) private(set) var substance: UnretainedReference<AnyObject>?
  /// Whether the substance's class is a client's: its `deinit` may call the substance.
  @exclusivity(unchecked) private(set) var isOfClientClass = false
  /// Notifies the substance of a published commit, before the listeners are notified. It is a stored function without
  /// captures, since its call takes less time than a cast of the object `substance`.
  private(set) var notifyPublished: (AnyObject, _ hasKeys: Bool?) -> Void = { _, _ in }
  /// The object that other modules attach to a cell: see `SubstanceAttachment`.
  let attached = MadeOnce<Held<any SubstanceAttachment>>()
  /// The number of calls of `retainNotices()` without a matching `releaseNotices()`. Guarded by `snapshotLock`.
  private nonisolated(unsafe) var noticeCount = 0
  let noticed = Atomic<UInt8>(0)
  private let savable = Atomic<Bool>(false)

  /// The state to which the substance can be rolled back, pinned; `nil` if there is none. Guarded by `snapshotLock`.
  @exclusivity(unchecked) var restorePoint: StateBox?
  /// The present state, pinned, while a replay shows a past state as the committed state; otherwise `nil`.
  @exclusivity(unchecked) var present: StateBox?
  /// The state without pending changes, which archives save; `nil` if nothing is pending. Nothing writes to its box.
  /// Guarded by `snapshotLock`, and replaced by the performer.
  @exclusivity(unchecked) var confirmed: StateBox?

  // The following variables are used only by the thread that performs the operation in progress.

  /// A counted reference, so that `isKnownUniquelyReferenced` works.
  @exclusivity(unchecked) var commit: Commit
  /// A copy of the pointer `commit.storage`, which saves an access to `commit` in each mix.
  @exclusivity(unchecked) var storage: UnsafeMutablePointer<Commit.Storage>
  /// The next cell in the list of the operation in progress, whose substance the list retains.
  @exclusivity(unchecked) var next: UnretainedReference<Cell>?
  /// The use of the draft: -1 while a writer uses it, otherwise the number of readers.
  @exclusivity(unchecked) var access = 0
  /// The last recorded commit, while a listener still needs that commit. A commit that notifies no listener is
  /// recorded, too, if an earlier commit is still pending. The queues of listeners retain their pending commits. Each
  /// recorded commit retains the recorded commit after it. The reference is weak, since a recorded commit retains the
  /// substance, and so this cell.
  @exclusivity(unchecked) weak var lastWaiting: WaitingCommit?
  /// The recorded commit from which on the next merge begins; `nil` if it was delivered.
  @exclusivity(unchecked) weak var firstWaiting: WaitingCommit?
  /// `count`: the number of commits that were recorded from `firstWaiting` on, including delivered ones. `limit`: the
  /// count at which they are merged.
  @exclusivity(unchecked) var recorded = (count: 0, limit: WaitingCommit.mergeLimit)
  /// The `WaitingCommit` for the commit whose listeners are being notified, if one of them receives it later. `nil`
  /// again once all listeners have been notified or have it queued.
  @exclusivity(unchecked) var currentWaiting: WaitingCommit?
  /// Whether a commit may be pending for a listener. If `false`, `lastWaiting` is not read (fast path).
  @exclusivity(unchecked) var isRecording = false

  /// The box of the last committed state, retained. The performing thread replaces it by a commit, and holds
  /// `snapshotLock` if it publishes several states at once. `install(_:)` holds `snapshotLock` while it replaces the
  /// box. Readers hold this lock while they pin the box.
  let committed: Atomic<Unmanaged<StateBox>>
  /// The number of commits. It is incremented before the new state is published. While it equals the number of a
  /// formerly committed box, no commit has replaced that box. `install(_:)` may have replaced the state, though.
  let commitCount = Atomic<Int>(0)
  /// The thread whose closures may touch the draft; 0 outside a mix.
  let mixingThread = Atomic<UInt>(0)

  init(
    flux: Flux,
    layout: StateLayout,
    initial: StateBox,
    location: SourcePlace,
    label: String?,
    isDerived: Bool
  ) {
    self.flux = flux
    self.layout = layout
    self.isDerived = isDerived
    snapshotLock = flux.snapshotLock
    subject = Subject(flux: flux, layout: layout, location: location, label: label)
    listeners = subject.listeners
    // Both boxes are copies, so that the padding bytes in them are equal, and make no difference when states are
    // compared.
    let state = initial.copy()
    let draft = initial.copy()
    committed = Atomic(.passRetained(state))
    commit = Commit(layout: layout, old: state, new: draft)
    storage = commit.storage
    _ = Unmanaged.passRetained(draft)
    storage.pointee.cell = .passUnretained(self)
  }

  deinit {
    committed.load(ordering: .acquiring).release()
    storage.pointee.new.release()
  }

  // MARK: The substance

  func setOwner(
    _ owner: AnyObject,
    isOfClientClass: Bool,
    didPublish: @escaping (AnyObject, _ hasKeys: Bool?) -> Void
  ) {
    substance = UnretainedReference(owner)
    self.isOfClientClass = isOfClientClass
    notifyPublished = didPublish
    subject.setOwnerType(type(of: owner))
  }

  /// The substance, which must be alive.
  var owner: AnyObject { substance?.object ?? self }

  /// `owner`, not retained.
  @inline(__always)
  var ownerReference: UnretainedReference<AnyObject> { substance ?? UnretainedReference(self) }

  /// Retains the substance until the matching `ownerReference.release()`.
  @inline(__always)
  func retainOwner() { ownerReference.retain() }

  /// Whether the deallocation of the substance has begun, so that the calling code runs inside its `deinit`.
  @inline(__always)
  var isBeingFreed: Bool { isOfClientClass && findIsBeingFreed() }

  @inline(never)
  private func findIsBeingFreed() -> Bool {
    guard let tryRetain = RuntimeFunctions.tryRetainNative else {
      // A program without that function. A weak reference to an object that is being deallocated is `nil`.
      weak let owner = substance?.object
      return owner == nil
    }
    let reference = ownerReference
    if tryRetain(reference.reference.toOpaque()) == nil { return true }
    reference.release()
    return false
  }

  /// Refuses a mix that the `deinit` of the substance submits. If it waited for its turn, or for a listener on another
  /// isolation, it would retain an object that is being deallocated. So it is refused whatever the flux is doing.
  ///
  /// - Returns: whether the mix was refused; then a fault was reported.
  @inline(__always)
  package func refuseInDeinit(at location: @autoclosure () -> SourcePlace) -> Bool {
    if !isBeingFreed { return false }
    reportMixInDeinit(at: location())
    return true
  }

  @inline(never)
  private func reportMixInDeinit(at location: SourcePlace) {
    report(
      .mixedInDeinit,
      "\(subject.name) is mixed in its own `deinit`, so nothing happens: no one can read the state any more; "
        + "mix another substance there, or mix this one before its last reference goes",
      at: location
    )
  }

  /// Reports a fault of the substance.
  package func report(_ kind: FlaskFault.Kind, _ message: String, at location: SourcePlace? = nil) {
    subject.report(kind, message, at: location)
  }

  // MARK: Notices

  /// The bits of `notices`: reasons to notify the substance of a published commit, and conditions of its state.
  package enum Notice {
    package static var archive: UInt8 { 1 }
    package static var tracking: UInt8 { 2 }
    /// An attachment requests notices: see `SubstanceAttachment`.
    static var attached: UInt8 { 4 }
    /// The state is a past state of a replay, which must not be archived: see `keepPresent()`.
    static var past: UInt8 { 8 }
    /// The substance's archive is being read. Keys that are mixed in the meantime are recorded.
    package static var unread: UInt8 { 16 }
    /// The substance was mixed while its archive was read.
    package static var mixedUnread: UInt8 { 32 }
    /// Changes of the state are pending: see `Cell.confirmed`.
    static var pending: UInt8 { 64 }
  }

  /// The bits of `Notice` that are set. Sequentially consistent: if another thread sets a bit during a commit, that
  /// thread reads the published state, or the performing thread sees the bit.
  @inline(__always)
  package var notices: UInt8 { noticed.load(ordering: .sequentiallyConsistent) }

  package func setNotice(_ notice: UInt8, _ isWanted: Bool) {
    if isWanted {
      noticed.bitwiseOr(notice, ordering: .sequentiallyConsistent)
    } else {
      noticed.bitwiseAnd(~notice, ordering: .sequentiallyConsistent)
    }
  }

  /// Requests that the substance's attachment is called at each commit, until the matching call of `releaseNotices()`.
  /// May be called on any thread.
  package func retainNotices() {
    snapshotLock.withLock { _ in
      noticeCount += 1
      if noticeCount == 1 { setNotice(Notice.attached, true) }
    }
  }

  package func releaseNotices() {
    snapshotLock.withLock { _ in
      noticeCount -= 1
      if noticeCount == 0 { setNotice(Notice.attached, false) }
    }
  }

  /// Whether the state may be archived. `FlaskArchive` updates this property whenever it has called `isArchivingOff()`
  /// of the substance. The property is also `false` while a `DeferredArchive` of the substance is being opened.
  package var isSavable: Bool {
    get { savable.load(ordering: .relaxed) }
    set { savable.store(newValue, ordering: .relaxed) }
  }

  /// Reports an observation of a key, or of the whole state (-1), to the `LivenessObserver`.
  func register(_ observation: SubstanceObservation, of key: Int) {
    observation.noted(
      as: subject.name
        + (key < 0 || subject.layout.path(of: key).isEmpty ? "" : ".\(subject.layout.path(of: key))"),
      in: flux,
      at: SourcePlace()
    )
  }
}
