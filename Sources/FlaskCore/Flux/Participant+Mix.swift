/// An operation over one substance that its caller performs: between beginning and end the caller's code changes the
/// draft, so that no object carries the closure to the performer nor its result back.
///
/// The caller holds the substance.
extension Participant {
  /// Takes the flux for an operation that ends with `commit` or `discard`, and lends the draft.
  ///
  /// - Returns: the address of the draft; `nil`, and nothing has happened, if the operation is to be submitted.
  @usableFromInline
  func begin(at place: SourcePlace, isolation: ActorIdentity) -> UnsafeMutableRawPointer? {
    if !flux.begin(OperationIdentity(.mix, at: place), isolation: isolation) { return nil }
    open()
    return lendDraft()
  }

  /// Makes the draft the state, has the reactions delivered, and gives the flux back.
  @usableFromInline
  func commit(isolation: ActorIdentity) -> FluxReceipt { FluxReceipt(commitAlone(isolation: isolation)) }

  /// The same for a transaction, whose caller needs no receipt: to release one costs 27 of 600 instructions.
  @usableFromInline
  func commitTransaction(isolation: ActorIdentity) { _ = commitAlone(isolation: isolation) }

  @inline(__always)
  private func commitAlone(isolation: ActorIdentity) -> OperationResult {
    let result = Borrowed(flux.transaction).use { $0.commit(alone: self, lock: nil, isolation: isolation) }
    flux.end(result, isolation: isolation)
    return result
  }

  /// Throws the draft away, and gives the flux back.
  @usableFromInline
  func discard(_ error: any Error, isolation: ActorIdentity) -> FluxReceipt {
    discard()
    let result = OperationResult.ended(.failed(error))
    flux.end(result, isolation: isolation)
    return FluxReceipt(result)
  }
}
