internal import Synchronization

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

  /// The same for a mix while there is one flux only: which one is the current one need not be looked up.
  @usableFromInline
  func beginOnOnlyFlux(at place: SourcePlace, isolation: ActorIdentity) -> UnsafeMutableRawPointer? {
    if Flux.areSeveral.load(ordering: .relaxed) { return nil }
    if !flux.beginAlone(OperationIdentity(.mix, at: place), isolation: isolation) { return nil }
    open()
    return lendDraft()
  }

  /// Performs a mix at once while there are several fluxes, as in tests and where a library has one of its own: as an
  /// operation that is submitted, a traced mix takes 5,800 instructions in place of 3,300.
  ///
  /// - Returns: `nil`, and nothing has happened, if the operation is to be submitted.
  @usableFromInline
  func mixAmongSeveral(
    at place: SourcePlace,
    isolation: ActorIdentity,
    _ body: (UnsafeMutableRawPointer) throws -> Void
  ) -> FluxReceipt? {
    if !Flux.areSeveral.load(ordering: .relaxed) { return nil }
    return Borrowed(flux).use { flux in
      flux.isCurrent ? mixHere(body) : Flux.$current.withValue(flux) { mixHere(body) }
    }

    @inline(__always)
    func mixHere(_ body: (UnsafeMutableRawPointer) throws -> Void) -> FluxReceipt? {
      if !flux.beginAlone(OperationIdentity(.mix, at: place), isolation: isolation) { return nil }
      open()
      do {
        try body(lendDraft())
      } catch {
        return discard(error, at: place, isolation: isolation)
      }
      return commit(isolation: isolation)
    }
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
  func discard(_ error: any Error, at place: SourcePlace, isolation: ActorIdentity) -> FluxReceipt {
    discardTransaction(error, isolation: isolation)
    return FluxReceipt(.ended(.failed(error)), at: place, in: flux)
  }

  /// The same for a transaction, whose caller throws the error.
  @usableFromInline
  func discardTransaction(_ error: any Error, isolation: ActorIdentity) {
    discard()
    flux.end(.ended(.failed(error)), isolation: isolation)
  }
}
