/// An operation over one substance that need not wait, in parts: what its closure returns needs no object then that
/// carries it from the performer to the caller (fast path).
extension Participant {
  /// Takes the flux for an operation and opens the draft. False, and nothing has happened, if the operation would have
  /// to wait, if somebody traces the flux, or if another flux is the current one.
  ///
  /// Whoever took the flux holds the substance, and ends the operation by `commitAlone` or `discardAlone`.
  @usableFromInline
  func beginAlone() -> Bool {
    if flux.isAnotherCurrent || !flux.queue.beginAlone() { return false }
    open()
    lendDraft()
    return true
  }

  /// The address of the draft, between the beginning of the operation and its end.
  @usableFromInline var lentDraft: UnsafeMutableRawPointer { draft }

  /// Makes the draft the state, has the reactions delivered, and gives the flux back.
  @usableFromInline
  func commitAlone(isolation: ActorIdentity) {
    endWriting()
    Borrowed(flux.transaction).use { $0.commitAlone(self, isolation: isolation) }
    finishAlone(isolation: isolation)
  }

  /// Throws the draft away, and gives the flux back.
  @usableFromInline
  func discardAlone(isolation: ActorIdentity) {
    endWriting()
    discard()
    finishAlone(isolation: isolation)
  }

  @inline(__always)
  private func finishAlone(isolation: ActorIdentity) {
    if !flux.queue.finishAlone() { flux.goOn(isolation: isolation) }
  }
}
