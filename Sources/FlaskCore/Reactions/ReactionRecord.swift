internal import FlaskDiff

/// The facts of one commit of one substance: old state, new state, changed keys, lock.
///
/// A substance reuses its record from commit to commit. While it does, the record only borrows: the boxes and the
/// substance are alive because the operation is in progress. When the operation ends and somebody else still
/// refers to the record, it is *kept*: from there on it owns what it needs, and never changes again.
///
/// `@unchecked Sendable`: written by the performer only, before it is handed to anyone; `keep()` changes ownership,
/// not what a reader sees. The pointers are made by `init` and freed by `deinit`.
final class ReactionRecord: @unchecked Sendable {
  private struct Facts {
    unowned(unsafe) let substance: AnySubstance
    unowned(unsafe) let old: StateBox
    unowned(unsafe) let new: StateBox
    var lock: FluxLock?
    let performer: UInt
    var isKept = false
  }

  /// The keys that differ between old and new state.
  let changes: UnsafeMutablePointer<ChangeSet>
  private let facts: UnsafeMutablePointer<Facts?>

  init() {
    changes = .allocate(capacity: 1)
    changes.initialize(to: ChangeSet())
    facts = .allocate(capacity: 1)
    facts.initialize(to: nil)
  }

  /// Describes a commit that has just been made and whose operation keeps everything alive.
  @inline(__always)
  func describe(_ substance: AnySubstance, old: StateBox, new: StateBox, lock: FluxLock?) {
    facts.pointee = Facts(
      substance: substance, old: old, new: new, lock: lock, performer: ThreadIdentity.current)
  }

  /// The substance that changed. Set by the time anybody sees the record.
  @inline(__always)
  var substance: AnySubstance? { facts.pointee?.substance }

  /// The lock that came with the operation.
  var lock: FluxLock? { facts.pointee?.lock }

  /// Owns what was borrowed, for as long as the record lives.
  func keep() {
    guard let known = facts.pointee, !known.isKept else { return }
    facts.pointee?.isKept = true
    _ = Unmanaged.passRetained(known.substance)
    for box in [known.old, known.new] { Unmanaged.passRetained(box).takeUnretainedValue().pin() }
  }

  deinit {
    if let known = facts.pointee, known.isKept {
      for box in [known.old, known.new] {
        box.unpin()
        Unmanaged.passUnretained(box).release()
      }
      Unmanaged.passUnretained(known.substance).release()
    }
    facts.deinitialize(count: 1)
    facts.deallocate()
    changes.deinitialize(count: 1)
    changes.deallocate()
  }

  /// The addresses of the old and the new state, which stay as they are until `endReading()`.
  ///
  /// On the performer's own thread nothing can change under the reader. Any other thread pins the boxes, so that its
  /// last read comes before the performer's next write even if it lets go of the record in between.
  @inline(__always)
  func beginReading() -> (old: UnsafeRawPointer, new: UnsafeRawPointer)? {
    guard let known = facts.pointee else { return nil }
    if known.performer != ThreadIdentity.current {
      known.old.pin()
      known.new.pin()
    }
    return (UnsafeRawPointer(known.old.address), UnsafeRawPointer(known.new.address))
  }

  /// Ends what `beginReading()` began, on the same thread.
  @inline(__always)
  func endReading() {
    guard let known = facts.pointee, known.performer != ThreadIdentity.current else { return }
    known.old.unpin()
    known.new.unpin()
  }

  /// Calls `body` with the addresses of the old and the new state.
  @inline(__always)
  func withStates<Result>(_ body: (UnsafeRawPointer, UnsafeRawPointer) -> Result) -> Result? {
    guard let states = beginReading() else { return nil }
    defer { endReading() }
    return body(states.old, states.new)
  }
}
