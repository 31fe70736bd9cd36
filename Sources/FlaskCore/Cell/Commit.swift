/// One commit of one substance: the old state, the new state, and the differences.
///
/// A cell owns one commit and reuses it. Between two operations, `old` is the committed state and `new` is the draft.
/// After the publication, `old` is the previous state and `new` is the committed state, until the cell makes both equal
/// again. While the cell uses the commit, the commit borrows its boxes, which the cell owns. If the commit is still
/// referenced when the operation ends, it is *kept*: it takes ownership of its storage and never changes again.
///
/// `@unchecked Sendable`:
/// - Ownership: `storage` is made by `init` and freed by `deinit`.
/// - Isolation: the performer, or, for a `LaggingState`, the deliverer to its listener, writes before the commit is
///   passed on.
/// - Invariant: `keep()` changes the ownership of the boxes, not the values that a reader sees.
/// - If violated: a data race.
@usableFromInline
package final class Commit: @unchecked Sendable {
  /// The fields of a commit. The commit stores a pointer to them, since each access to a stored variable of a class
  /// costs a dynamic check.
  ///
  /// The references are not counted while the cell uses the commit: the cell owns the boxes, layouts are never
  /// released, and the operation in progress retains the substance, and so the cell. A kept commit counts them: see
  /// `keep()`.
  struct Storage {
    /// The keys that differ. This is the first field, so that the storage and the change set have one address.
    var changes = ChangeSet()
    /// Set before the commit is used.
    var cell: Unmanaged<Cell>?
    let layout: Unmanaged<StateLayout>
    var old: Unmanaged<StateBox>
    var new: Unmanaged<StateBox>
    var oldAddress: UnsafeMutableRawPointer
    var newAddress: UnsafeMutableRawPointer
    /// The thread that calls the handlers. A handler on this thread reads the states without pinning them, since they
    /// cannot change while it runs.
    var handlingThread: UInt = 0
    /// The actor to which the performing code claims to be isolated (see `ActorIdentity`). Handlers that pass the
    /// commit on to other listeners need it.
    var isolation = ActorIdentity.none
    /// The lock that came with the operation, for the handlers that are notified of the commit. The operation retains
    /// it. Set before each notification, and read only until its end, or if the commit was kept.
    var attachedLock: Unmanaged<AnyObject>?
  }

  /// A key below a dictionary or an optional, and the commit that changed it.
  final class NestedKey: Sendable {
    let commit: Commit
    let path: String
    let rest: String

    init(of commit: Commit, path: String, rest: String) {
      self.commit = commit
      self.path = path
      self.rest = rest
    }
  }

  let storage: UnsafeMutablePointer<Storage>
  /// The substance, retained, if the commit is kept or was made from a pending commit. Separate from `owner`, since
  /// other threads read `owner` while this variable is written.
  private var keptOwner: AnyObject?
  /// The key below a dictionary or an optional for whose change this commit was made; `nil` for any other commit. It is
  /// stored here, so that a `SubstanceChange` needs only one reference, which is passed on without being counted.
  let nested: NestedKey?

  /// The number of the state that this commit has published: each commit of a substance has the next number. It is 0
  /// for a commit that a `LaggingState` has made from a pending commit.
  package var number: Int { storage.pointee.new.takeUnretainedValue().number }

  /// Borrows its arguments.
  convenience init(of cell: Cell, old: StateBox, new: StateBox) {
    self.init(layout: cell.layout, old: old, new: new)
    storage.pointee.cell = .passUnretained(cell)
  }

  /// Makes a commit that does not retain its arguments. The field `cell` of the commit's storage must be set before the
  /// commit is used.
  init(layout: StateLayout, old: StateBox, new: StateBox) {
    nested = nil
    storage = .allocate(capacity: 1)
    storage.initialize(
      to: Storage(
        layout: .passUnretained(layout),
        old: .passUnretained(old),
        new: .passUnretained(new),
        oldAddress: old.address,
        newAddress: new.address
      )
    )
  }

  /// A commit that may be used after the listeners were notified: it retains the substance (`owner`), and retains and
  /// pins both states.
  convenience init(of cell: Cell, old: StateBox, new: StateBox, owner: AnyObject) {
    self.init(of: cell, old: old, new: new)
    keptOwner = owner
    retainBoxes()
  }

  /// The commit for the change of a nested key, which shares the storage of the original commit.
  init(of nested: NestedKey) {
    self.nested = nested
    storage = nested.commit.storage
  }

  deinit {
    if nested != nil { return }
    if keptOwner != nil {
      releaseBox(storage.pointee.old)
      releaseBox(storage.pointee.new)
      storage.pointee.attachedLock?.release()
    }
    storage.deinitialize(count: 1)
    storage.deallocate()
  }

  // MARK: What it says

  @inline(__always)
  var changes: UnsafeMutablePointer<ChangeSet> {
    UnsafeMutableRawPointer(storage).assumingMemoryBound(to: ChangeSet.self)
  }

  @inline(__always)
  var cell: Cell { storage.pointee.cell.unsafelyUnwrapped._withUnsafeGuaranteedRef { $0 } }

  /// The substance.
  var owner: AnyObject { cell.owner }

  @inline(__always)
  func withLayout<Result>(_ body: (StateLayout) -> Result) -> Result {
    storage.pointee.layout._withUnsafeGuaranteedRef(body)
  }

  /// Returns the index of a key in the layout; -1 if the layout does not have the key.
  @inline(__always)
  func index(of path: String) -> Int { withLayout { $0.key(at: path) } }

  /// Whether a key changed. The first 64 keys are checked here, since a call of a method of the change set would copy
  /// the set.
  @inline(__always)
  func isChanged(_ key: Int) -> Bool {
    key < 64 ? changes.pointee.firstWord & (1 &<< UInt64(key)) != 0 : isChangedBeyondFirstWord(key)
  }

  @inline(never)
  private func isChangedBeyondFirstWord(_ key: Int) -> Bool { changes.pointee.contains(key) }

  /// The lock that came with the operation.
  var attachedLock: AnyObject? { storage.pointee.attachedLock?.takeUnretainedValue() }

  /// The actor to which the performing code claims to be isolated: see `ActorIdentity`.
  package var isolation: ActorIdentity { storage.pointee.isolation }

  // MARK: Keeping

  /// Retains the substance, both boxes and the lock, which the commit has only borrowed so far, until the commit is
  /// deallocated.
  func keep() {
    if keptOwner != nil { return }
    keptOwner = cell.owner
    retainBoxes()
    _ = storage.pointee.attachedLock?.retain()
  }

  private func retainBoxes() {
    storage.pointee.old.retain().takeUnretainedValue().pin()
    storage.pointee.new.retain().takeUnretainedValue().pin()
  }

  private func releaseBox(_ box: Unmanaged<StateBox>) {
    box.takeUnretainedValue().unpin()
    box.release()
  }

  /// Whether a state of this commit is also pinned elsewhere, such as by another commit. Only for a commit that has
  /// itself pinned its states.
  var isReadElsewhere: Bool {
    storage.pointee.old.takeUnretainedValue().isPinnedTwice
      || storage.pointee.new.takeUnretainedValue().isPinnedTwice
  }

  // MARK: Reading

  /// The address of the old state, to be read only on the thread that notifies the listeners.
  @inline(__always)
  package var oldAddress: UnsafeRawPointer { UnsafeRawPointer(storage.pointee.oldAddress) }

  /// The address of the new state, to be read only on the thread that notifies the listeners.
  @inline(__always)
  package var newAddress: UnsafeRawPointer { UnsafeRawPointer(storage.pointee.newAddress) }

  /// Whether the running thread is the one that calls the handlers, so that the states cannot change during a read.
  @inline(__always)
  var isReadInPlace: Bool { storage.pointee.handlingThread == ThreadIdentity.current }

  /// The addresses of the old and the new state. Both states stay unchanged until `endReading()`.
  ///
  /// On the thread that calls the handlers, nothing can change the states during a read. On any other thread this
  /// function pins them. The pins order that thread's last read before the next write to the states, even if the thread
  /// releases the commit in between.
  @inline(__always)
  func beginReading() -> (old: UnsafeRawPointer, new: UnsafeRawPointer, isPinned: Bool) {
    let isPinned = !isReadInPlace
    if isPinned { pinForReading() }
    return (
      UnsafeRawPointer(storage.pointee.oldAddress), UnsafeRawPointer(storage.pointee.newAddress), isPinned
    )
  }

  /// Whether a key changed. May be called on any thread.
  @inline(__always)
  func isSeenChanged(_ key: Int) -> Bool {
    let isChanged = isChanged(key)
    // On any other thread than the one that calls the handlers, the states are pinned and unpinned. The pins order the
    // read of the changes before the performing thread's next write, as in `beginReading()` and `endReading()`.
    if !isReadInPlace {
      pinForReading()
      unpinAfterReading()
    }
    return isChanged
  }

  /// Ends what `beginReading()` began.
  @inline(__always)
  func endReading(isPinned: Bool) { if isPinned { unpinAfterReading() } }

  @inline(never)
  private func pinForReading() {
    storage.pointee.old.takeUnretainedValue().pin()
    storage.pointee.new.takeUnretainedValue().pin()
  }

  @inline(never)
  private func unpinAfterReading() {
    // The old state's box is unpinned last: once it is unpinned, the performing thread may reuse the commit.
    let old = storage.pointee.old
    let new = storage.pointee.new
    new.takeUnretainedValue().unpin()
    old.takeUnretainedValue().unpin()
  }

  /// Calls `body` with the addresses of the old and the new state.
  @inline(__always)
  func withStates<Result>(_ body: (UnsafeRawPointer, UnsafeRawPointer) -> Result) -> Result {
    let states = beginReading()
    defer { endReading(isPinned: states.isPinned) }
    return body(states.old, states.new)
  }
}
