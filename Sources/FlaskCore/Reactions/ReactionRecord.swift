@_spi(FlaskInternals) internal import FlaskDiff
internal import Synchronization

/// The facts of one commit of one substance: old state, new state, changed keys, lock.
///
/// A substance reuses its record from commit to commit. While it does, the record only borrows: the boxes and the
/// substance are alive because the operation is in progress. When the operation ends and somebody else still
/// refers to the record, it is *kept*: from there on it owns what it needs, and never changes again.
///
/// `facts` are there once the record has been described, which is before anybody else sees it.
///
/// `@unchecked Sendable`: written by the performer only, before it is handed to anyone; `keep()` changes ownership,
/// not what a reader sees. The pointers are made by `init` and freed by `deinit`.
final class ReactionRecord: @unchecked Sendable {
  /// References that borrow, so that copying the facts costs nothing.
  private struct Facts {
    let core: Unmanaged<SubstanceCore>
    let layout: Unmanaged<StateLayout>
    let old: Unmanaged<StateBox>
    let new: Unmanaged<StateBox>
    let oldAddress: UnsafeRawPointer
    let newAddress: UnsafeRawPointer
    let performer: UInt
  }

  /// The keys that differ between old and new state.
  let changes: UnsafeMutablePointer<ChangeSet>
  private let facts: UnsafeMutablePointer<Facts>
  private let heldLock: UnsafeMutablePointer<FluxLock?>
  private var keptSubstance: AnySubstance?
  private let posted = Atomic<Bool>(false)

  init() {
    changes = .allocate(capacity: 1)
    changes.initialize(to: ChangeSet())
    facts = .allocate(capacity: 1)
    heldLock = .allocate(capacity: 1)
    heldLock.initialize(to: nil)
  }

  /// Describes a commit that has just been made and whose operation keeps everything alive.
  @inline(__always)
  func describe(
    _ core: SubstanceCore,
    old: Unmanaged<StateBox>,
    _ oldAddress: UnsafeMutableRawPointer,
    new: Unmanaged<StateBox>,
    _ newAddress: UnsafeMutableRawPointer,
    lock: FluxLock?
  ) {
    facts.initialize(
      to: Facts(
        core: .passUnretained(core),
        layout: .passUnretained(core.layout),
        old: old,
        new: new,
        oldAddress: UnsafeRawPointer(oldAddress),
        newAddress: UnsafeRawPointer(newAddress),
        performer: ThreadIdentity.current
      )
    )
    if lock != nil || heldLock.pointee != nil { heldLock.pointee = lock }
  }

  /// Whether it is, or was, on its way to another isolation: it is then taken to be kept, since whoever was told there may have read it
  /// without pinning anything, and only a reference count would tell that they are done.
  @inline(__always)
  var isPosted: Bool { posted.load(ordering: .relaxed) }

  /// To be called before it is posted.
  func willBePosted() { posted.store(true, ordering: .relaxed) }

  /// What changed.
  @inline(__always)
  var core: SubstanceCore { facts.pointee.core._withUnsafeGuaranteedRef { $0 } }

  /// Calls `body` with the layout of the state.
  @inline(__always)
  func withLayout<Result>(_ body: (StateLayout) -> Result) -> Result {
    facts.pointee.layout._withUnsafeGuaranteedRef(body)
  }

  /// The number of a key that is one of the layout's.
  @inline(never)
  func index(of path: String) -> Int? { withLayout { $0.index(of: path) } }

  /// Whether a key changed. Not by a method of the set, which would be handed a copy of it.
  @inline(__always)
  func isChanged(_ key: Int) -> Bool {
    key < 64 ? changes.pointee.firstWord & (1 &<< UInt64(key)) != 0 : isChangedBeyondFirstWord(key)
  }

  @inline(never)
  private func isChangedBeyondFirstWord(_ key: Int) -> Bool { changes.pointee.contains(key) }

  /// The lock that came with the operation.
  var lock: FluxLock? { heldLock.pointee }

  /// Owns what was borrowed, for as long as the record lives. The substance holds its core.
  func keep() {
    if keptSubstance != nil { return }
    keptSubstance = core.substance
    for box in [facts.pointee.old, facts.pointee.new] { box.retain().takeUnretainedValue().pin() }
  }

  deinit {
    if keptSubstance != nil {
      for box in [facts.pointee.old, facts.pointee.new] {
        box.takeUnretainedValue().unpin()
        box.release()
      }
    }
    facts.deallocate()
    heldLock.deinitialize(count: 1)
    heldLock.deallocate()
    changes.deinitialize(count: 1)
    changes.deallocate()
  }

  /// The addresses of the old and the new state, which stay as they are until `endReading()`.
  ///
  /// On the performer's own thread nothing can change under the reader. Any other thread pins the boxes, so that its
  /// last read comes before the performer's next write even if it lets go of the record in between.
  @inline(__always)
  func beginReading() -> (old: UnsafeRawPointer, new: UnsafeRawPointer, isPinned: Bool) {
    let isPinned = facts.pointee.performer != ThreadIdentity.current
    if isPinned { pinForReading() }
    return (facts.pointee.oldAddress, facts.pointee.newAddress, isPinned)
  }

  /// Ends what `beginReading()` began.
  @inline(__always)
  func endReading(isPinned: Bool) { if isPinned { unpinAfterReading() } }

  @inline(never)
  private func pinForReading() {
    facts.pointee.old.takeUnretainedValue().pin()
    facts.pointee.new.takeUnretainedValue().pin()
  }

  @inline(never)
  private func unpinAfterReading() {
    // The old one last, and nothing after it: once that is unpinned the performer may describe another commit here.
    let (old, new) = (facts.pointee.old, facts.pointee.new)
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
