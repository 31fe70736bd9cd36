internal import FlaskPrimitives
public import Foundation

extension History {
  /// The steps in a form that can be kept, and read by ``restore(from:isolation:)`` in a later run.
  ///
  /// ```swift
  /// try await history.archived().write(to: file)
  /// ```
  /// Keep it together with the archives of the substances: the steps start from the states of this moment. A step is
  /// written as undo or redo would apply it now. If another operation has changed a value of the step, undo would skip
  /// that value, and so it is not archived. With the policy `refuse` the whole step is not archived, and neither are
  /// the steps before it. Optimistic changes of this history that are pending are left out.
  ///
  /// The data is JSON. It contains the states and the values that the steps have changed, as the states encode them,
  /// including secrets.
  ///
  /// - Parameter isolation: the isolation of the caller; supplied by the compiler.
  /// - Returns: the steps that can be undone and those that can be redone. Nothing is changed.
  /// - Throws: `HistoryArchiveError.notCodable`, or the error of a state when it is encoded.
  /// - Complexity: linear in the states and in the changes of the steps.
  public func archived(isolation: isolated (any Actor)? = #isolation) async throws -> Data {
    let copied = Lock<HistoryCopy?>(nil)
    let receipt = flux.performInFluxQueue(isolation: isolation) { [core] in
      let copy = core.copy()
      copied.withLock { $0 = copy }
    }
    _ = await receipt.outcome(isCancellable: false)
    guard let copy = copied.withLock({ $0.take() }) else { throw HistoryArchiveError.notPerformed }
    return try ArchivedHistory.data(of: copy)
  }

  /// Replaces the steps of this history by the archived steps.
  ///
  /// ```swift
  /// let history = History(of: document, canvas)
  /// try await history.restore(from: Data(contentsOf: file))
  /// ```
  /// The history must have the same substances in the same order. Values of the states that differ from those at the
  /// time of archiving count as changed by others: the policy of the history decides how undo treats them. Keys that
  /// this history excludes are excluded from the steps. The limits of this history apply to the undo steps and to the
  /// redo steps: the steps farthest from the present state are not restored.
  ///
  /// A step that cannot be read, or does not fit the states of the archive, is left out, and so are the steps that
  /// would be undone or redone after it. This is the fault `historyIncomplete`; an error, if no step can be read.
  ///
  /// - Parameters:
  ///   - data: what ``archived(isolation:)`` has returned.
  ///   - isolation: the isolation of the caller; supplied by the compiler.
  /// - Throws: if this is something else, or of other substances. The steps stay then.
  /// - Complexity: a state is decoded once for each step that has changed it.
  public func restore(
    from data: Data,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) async throws(HistoryArchiveError) {
    let restored = try ArchivedHistory(data).restored(of: core.substances, leavingOut: core.leftOut)
    let receipt = flux.performInFluxQueue(isolation: isolation) { [core] in
      core.replaceSteps(restored.undo, restored.redo)
    }
    switch await receipt.outcome(isCancellable: false) {
    case .purged, .aborted, .cancelled, .waiting: throw .notPerformed
    default: break
    }
    if restored.missing > 0 {
      let all = restored.missing + restored.undo.count + restored.redo.count
      flux.report(
        .historyIncomplete,
        "\(restored.missing) of \(all) archived steps cannot be read, and are left out",
        at: SourcePlace(fileID, line)
      )
    }
  }
}
