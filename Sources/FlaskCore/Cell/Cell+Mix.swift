internal import Synchronization

/// An operation over one substance that the caller performs itself, between `begin` and a function that ends the
/// operation. The caller changes the draft in between, so no object is allocated for a closure or its result.
///
/// The caller retains the substance.
extension Cell {
  /// Makes the flux busy with the caller's operation, and opens the draft. The caller ends the operation by
  /// `commitAndEnd` or `discardAndEnd`.
  ///
  /// - Returns: the address of the draft; `nil`, and nothing has happened, if `Flux.begin` returned `false`, or in the
  ///   `deinit` of the substance.
  @usableFromInline
  func begin(with options: MixOptions) -> UnsafeMutableRawPointer? {
    if isBeingFreed { return nil }
    if !flux.begin(OperationIdentity(.mix, at: options.place), isolation: options.isolation) { return nil }
    // The operation has just begun, so the draft is not open.
    mixingThread.store(ThreadIdentity.current, ordering: .relaxed)
    access = -1
    return draft
  }

  /// Commits the draft, notifies the listeners, and ends the operation. The flux then performs queued operations, or is
  /// idle.
  @usableFromInline
  @discardableResult
  func commitAndEnd(with options: MixOptions) -> FluxReceipt {
    let result = UnretainedReference(flux.drafts).use {
      $0.commit(single: self, lock: nil, isolation: options.isolation)
    }
    flux.end(result, isolation: options.isolation)
    return FluxReceipt(result)
  }

  /// Discards the draft of a transaction that has thrown, and ends the operation.
  @usableFromInline
  func discardAndEnd(_ error: any Error, with options: MixOptions) {
    discard()
    flux.end(.ended(.failed(error)), isolation: options.isolation)
  }

  /// Discards the draft of a mix that has thrown, and ends the operation.
  ///
  /// - Returns: a receipt that has the error, and reports the error unless it is read.
  @usableFromInline
  func discardAndEndWithReceipt(_ error: any Error, with options: MixOptions) -> FluxReceipt {
    discardAndEnd(error, with: options)
    return FluxReceipt(.ended(.failed(error)), at: options.place, in: flux)
  }
}
