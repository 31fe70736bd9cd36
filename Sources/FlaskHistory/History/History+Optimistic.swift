extension History {
  /// Makes a change that has yet to be confirmed. If it is confirmed, it is a step; if it fails, no step is left.
  ///
  /// ```swift
  /// try await history.optimistic("Move card") {
  ///   board.mix { $0.cards[id: 7]?.column = "done" }
  /// } confirmedBy: {
  ///   try await server.move(7, to: "done")
  /// }
  /// ```
  /// 1. The operation that `change` submits is performed. It is a step from then on, and can be undone.
  /// 2. `confirm` is called.
  /// 3. If `confirm` throws, states and steps become what they would be without the change, including excluded
  ///    keys. Changes that others have made since then stay, except changes of elements that this change had added.
  ///
  /// Archives have the state without the change until it is confirmed. If the process ends before, the next run has
  /// none of it. While the flux is busy or locked, the confirmation waits for its turn, and is not awaited. A change of
  /// hidden properties alone, whose names begin with `_`, is archived at once, and is not reverted.
  ///
  /// Several changes may be pending at once, and be answered in any order. All commits are kept until every pending
  /// change is answered; an undo, a redo and an answer in the meantime go through all of them. When they are 10,000,
  /// that is reported once, as the fault `backlog`.
  ///
  /// If the operation itself fails, `confirm` is not called.
  ///
  /// - Parameters:
  ///   - name: the name of the step. The step is coalesced with no other step.
  ///   - isolation: the isolation of the caller; supplied by the compiler.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - line: as `fileID`.
  ///   - change: submits an operation, and returns its receipt: a mix, a mixer, a chain, an action.
  ///   - confirm: returns when the change holds.
  /// - Returns: what `confirm` returns.
  /// - Throws: the errors of `change` and `confirm`, and the failure of the operation: a `FluxError` if it was not
  ///   performed.
  @discardableResult
  public func optimistic<Result>(
    _ name: String? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ change: () throws -> FluxReceipt,
    confirmedBy confirm: () async throws -> Result
  ) async throws -> Result {
    let mark = HistoryMark(of: core, name: name, .optimistic)
    let options = MixOptions(isolation, fileID, line)
    do {
      let receipt = try flux.marking(mark, at: options.place, isolation: isolation, change)
      try OperationResult.ended(await receipt.outcome(isCancellable: false)).check()
      let result = try await confirm()
      let identity = OperationIdentity(.closure, name: "confirm", at: options.place, by: .flask)
      // Not awaited: the caller may hold a lock that it releases later.
      _ = flux.perform(identity, isolation: options.isolation) { [core, registration] _ in
        core.confirm(mark)
        withExtendedLifetime(registration) {}
        return .commit
      }
      return result
    } catch {
      let takeBack: @Sendable () -> Void = { [core, registration] in
        core.takeBack(mark)
        core.publishStatus()
        withExtendedLifetime(registration) {}
      }
      let takingBack = core.submitUnrecorded(
        named: "revert",
        with: options,
        by: .promise,
        takeBack
      )
      _ = await takingBack.outcome(isCancellable: false)
      throw error
    }
  }
}
