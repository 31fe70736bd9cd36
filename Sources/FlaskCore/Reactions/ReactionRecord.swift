internal import FlaskDiff

/// The facts of one commit of one substance: old state, new state, changed keys, lock.
///
/// A substance reuses its record from commit to commit. While it does, the record only borrows: the boxes and the
/// substance are alive because the operation is in progress. When the operation ends and somebody else still
/// refers to the record, it is *kept*: from there on it owns what it needs, and never changes again.
///
/// `@unchecked Sendable`: written by the performer only, before it is handed to anyone; `keep()` changes ownership,
/// not what a reader sees.
final class ReactionRecord: @unchecked Sendable {
  var changes = ChangeSet()
  private(set) var lock: FluxLock?
  private var substanceReference: Unmanaged<AnySubstance>?
  private var oldReference: Unmanaged<StateBox>?
  private var newReference: Unmanaged<StateBox>?
  private var isKept = false
  private var performer: UInt = 0

  /// Describes a commit that has just been made and whose operation keeps everything alive.
  func describe(_ substance: AnySubstance, old: StateBox, new: StateBox, lock: FluxLock?) {
    substanceReference = Unmanaged.passUnretained(substance)
    oldReference = Unmanaged.passUnretained(old)
    newReference = Unmanaged.passUnretained(new)
    if self.lock != nil || lock != nil { self.lock = lock }
    performer = ThreadIdentity.current
  }

  var substance: AnySubstance? { substanceReference?.takeUnretainedValue() }

  /// Owns what was borrowed, for as long as the record lives.
  func keep() {
    guard !isKept, let substanceReference, let oldReference, let newReference else { return }
    isKept = true
    _ = substanceReference.retain()
    oldReference.retain().takeUnretainedValue().pin()
    newReference.retain().takeUnretainedValue().pin()
  }

  deinit {
    guard isKept else { return }
    for reference in [oldReference, newReference] {
      reference?.takeUnretainedValue().unpin()
      reference?.release()
    }
    substanceReference?.release()
  }

  /// Calls `body` with the addresses of the old and the new state; both stay as they are meanwhile.
  ///
  /// On the performer's own thread nothing can change under the reader. Any other thread pins the boxes, so that its
  /// last read comes before the performer's next write even if it lets go of the record in between.
  @inline(__always)
  func withStates<Result>(_ body: (UnsafeRawPointer, UnsafeRawPointer) -> Result) -> Result? {
    guard let old = oldReference?._withUnsafeGuaranteedRef({ $0 }),
      let new = newReference?._withUnsafeGuaranteedRef({ $0 })
    else { return nil }
    let isElsewhere = performer != ThreadIdentity.current
    if isElsewhere {
      old.pin()
      new.pin()
    }
    defer {
      if isElsewhere {
        old.unpin()
        new.unpin()
      }
    }
    return body(UnsafeRawPointer(old.address), UnsafeRawPointer(new.address))
  }
}
