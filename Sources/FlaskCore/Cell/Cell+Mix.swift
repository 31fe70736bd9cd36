internal import Synchronization

/// An operation over one substance that the caller performs itself, between `begin` and a function that ends the
/// operation. The caller changes the draft in between, so no object is allocated for a closure or its result.
///
/// The caller retains the substance.
extension Cell {
  /// Makes the flux busy with the caller's operation, and opens the draft. The caller ends the operation by
  /// `commitAndEnd` or `discardAndEnd`.
  ///
  /// - Returns: the address of the draft; `nil` if the operation must be submitted instead, and then nothing has
  ///   happened. In a process with several fluxes the result is always `nil`, since the current flux would have to be
  ///   determined. It is `nil`, too, in the `deinit` of the substance.
  @usableFromInline
  func begin(at place: SourcePlace, isolation: ActorIdentity) -> UnsafeMutableRawPointer? {
    if Flux.hasMultipleFluxes.load(ordering: .relaxed) || isBeingFreed { return nil }
    if !flux.beginUncontended(OperationIdentity(.mix, at: place), isolation: isolation) { return nil }
    open()
    access = -1
    return draft
  }

  /// Commits the draft, notifies the listeners, and ends the operation. The flux then performs queued operations, or is
  /// idle.
  @usableFromInline
  @discardableResult
  func commitAndEnd(isolation: ActorIdentity) -> FluxReceipt {
    let result = UnretainedReference(flux.transaction).use {
      $0.commit(single: self, lock: nil, isolation: isolation)
    }
    flux.end(result, isolation: isolation)
    return FluxReceipt(result)
  }

  /// Discards the draft, and ends the operation.
  @usableFromInline
  func discardAndEnd(_ error: any Error, isolation: ActorIdentity) {
    discard()
    flux.end(.ended(.failed(error)), isolation: isolation)
  }

  /// Discards the draft of a mix that has thrown, and ends the operation. The returned receipt has the error.
  @usableFromInline
  func discardAndEnd(_ error: any Error, at place: SourcePlace, isolation: ActorIdentity) -> FluxReceipt {
    discardAndEnd(error, isolation: isolation)
    return FluxReceipt(.ended(.failed(error)), at: place, in: flux)
  }

  /// Performs a mix at once if the flux is idle and several fluxes exist, for which `begin` has returned `nil`;
  /// otherwise returns `nil`. Submitting an operation instead would take 700 instructions more if the flux is traced.
  func mixIfIdle(
    at place: SourcePlace,
    isolation: ActorIdentity,
    _ body: (UnsafeMutableRawPointer) throws -> Void
  ) -> FluxReceipt? {
    if !Flux.hasMultipleFluxes.load(ordering: .relaxed) { return nil }
    return flux.withCurrent {
      if !flux.beginUncontended(OperationIdentity(.mix, at: place), isolation: isolation) { return nil }
      open()
      access = -1
      do { try body(draft) } catch { return discardAndEnd(error, at: place, isolation: isolation) }
      return commitAndEnd(isolation: isolation)
    }
  }
}
