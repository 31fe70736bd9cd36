/// An operation over one substance that its caller performs: between beginning and end the caller's code changes the
/// draft, so that no object carries the closure to the performer nor its result back.
///
/// The caller holds the substance.
extension Participant {
  /// Takes the flux for an operation that ends with `commit` or `discard`, and lends the draft.
  ///
  /// - Returns: false, and nothing has happened, if the operation is to be submitted.
  @usableFromInline
  func begin(at place: SourcePlace, isolation: ActorIdentity) -> Bool {
    if !flux.begin(OperationIdentity(.mix, at: place), isolation: isolation) { return false }
    Borrowed(flux.transaction).use { _ = $0.lend(self) }
    return true
  }

  /// The address of the draft, between the beginning of the operation and its end.
  @usableFromInline var lentDraft: UnsafeMutableRawPointer { draft }

  /// Makes the draft the state, has the reactions delivered, and gives the flux back.
  @usableFromInline
  func commit(isolation: ActorIdentity) -> FluxReceipt {
    let result = Borrowed(flux.transaction).use { $0.commit(lock: nil, isolation: isolation) }
    flux.end(result, isolation: isolation)
    return FluxReceipt(result)
  }

  /// Throws the draft away, and gives the flux back.
  @usableFromInline
  func discard(_ error: any Error, isolation: ActorIdentity) -> FluxReceipt {
    let result = flux.transaction.discard(.failed(error))
    flux.end(result, isolation: isolation)
    return FluxReceipt(result)
  }
}
