/// The parts of one mix.
package struct MixedParts {
  private(set) var substances: [AnySubstance] = []
  private var steps: [(of: AnySubstance, steps: [PartStep])] = []
  /// Whether the parts are passed as copies, since two of them belong to one substance.
  private(set) var areCopied = false
  private let options: MixOptions
  private(set) var isMisused = false
  /// Whether the substance of a part was deallocated. This is possible only for a scope that was passed to work, such
  /// as the closure of `whilePresent`: it does not retain its substance.
  private var isGone = false

  package init(with options: MixOptions) { self.options = options }

  /// Adds a part, and reports misuse.
  package consuming func adding<Part>(_ part: _MixablePart<Part>) -> MixedParts {
    if let substance = part.reference.object {
      add(substance, part.access?.steps ?? [])
    } else {
      isGone = true
    }
    return self
  }

  private mutating func add(_ substance: AnySubstance, _ path: [PartStep]) {
    if let first = substances.first, first.flux !== substance.flux {
      isMisused = true
      first.report(
        .substancesOfDifferentFluxes,
        "\(substance.name()) belongs to another flux than \(first.name()), so one mix over both does nothing; make both "
          + "while the same flux is the current one",
        at: options.place
      )
    }
    if substance.cell.refuseInDeinit(at: options.place) { isMisused = true }
    for (other, steps) in steps where other === substance {
      areCopied = true
      if !steps.overlaps(path) { continue }
      isMisused = true
      substance.report(
        .overlappingAccess,
        "one mix names two parts of \(substance.name()) that overlap, so it does nothing; name the larger one alone",
        at: options.place
      )
    }
    steps.append((substance, path))
    if !substances.contains(where: { $0 === substance }) { substances.append(substance) }
  }

  /// Performs `body` over the parts, as one operation.
  ///
  /// - Parameter body: receives `true` if the parts must be copied. It returns `false`, and changes nothing, if a part
  ///   no longer exists.
  package func submit(_ body: @escaping @Sendable (Bool) throws -> Bool) -> FluxReceipt {
    if isGone { return FluxReceipt(resultOfGone) }
    guard !isMisused, let flux = substances.first?.flux else { return .aborted }
    return flux.perform(OperationIdentity(.mix, at: options.place), isolation: options.isolation) {
      [substances, areCopied] drafts in
      for substance in substances { drafts.openDraft(of: substance.cell) }
      return try body(areCopied) ? .commit : .gone
    }
  }

  /// The result of a mix of a part whose substance was deallocated.
  private var resultOfGone: OperationResult { .ended(WorkRun.here?.isEnded == true ? .cancelled : .gone) }

  /// Performs `body` over the parts as one operation, waits for it, and returns the value that `body` passed to
  /// `result`.
  package func transact<Result: Sendable>(
    isolation: isolated (any Actor)?,
    _ body: @escaping @Sendable (TransactionResult<Result>, Bool) throws -> Bool
  ) async throws -> Result {
    try Task.checkCancellation()
    if isGone { try resultOfGone.check() }
    guard !isMisused, let flux = substances.first?.flux else { throw FluxError.misused }
    let result = TransactionResult<Result>()
    let receipt = submit { try body(result, $0) }
    if try receipt.mustBeAwaited() {
      let cells = substances.map(\.cell)
      try await flux.finish(receipt, over: cells, at: options.place, isolation: isolation)
    }
    return try result.get()
  }
}
