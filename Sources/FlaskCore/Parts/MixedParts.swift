/// Which parts one mix is over.
package struct MixedParts {
  private(set) var substances: [AnySubstance] = []
  private var steps: [(of: AnySubstance, steps: [PartStep])] = []
  /// Whether two of them are parts of one substance: they can't be lent in place then.
  private(set) var areCopied = false
  private let location: SourceLocation
  private(set) var isMisused = false

  package init(at location: SourceLocation) { self.location = location }

  /// These and one more; reports a misuse.
  package consuming func adding(_ part: some Mixable) -> MixedParts {
    add(part.mixablePart.substance, part.mixablePart.access?.steps ?? [])
    return self
  }

  private mutating func add(_ substance: AnySubstance, _ path: [PartStep]) {
    if let first = substances.first, first.flux !== substance.flux {
      isMisused = true
      first.report(
        .substancesOfDifferentBuses,
        "\(substance.name()) belongs to another bus than \(first.name()), so one mix over both does nothing; make both "
          + "while the same flux is the current one",
        at: location
      )
    }
    for (other, steps) in steps where other === substance {
      areCopied = true
      if !steps.overlaps(path) { continue }
      isMisused = true
      substance.report(
        .overlappingAccess,
        "one mix names two parts of \(substance.name()) that overlap, so it does nothing; name the larger one alone",
        at: location
      )
    }
    steps.append((substance, path))
    if !substances.contains(where: { $0 === substance }) { substances.append(substance) }
  }

  /// Performs `body` over them, as one operation. It answers false if a part is gone, and then it has changed nothing.
  package func submit(isolation: ActorIdentity, _ body: @escaping @Sendable () throws -> Bool) -> FluxReceipt
  {
    guard !isMisused, let flux = substances.first?.flux else { return .aborted }
    let identity = OperationIdentity(.mix, at: SourcePlace(location))
    let receipt = flux.performAtOnce(identity, isolation: isolation) {
      try MixedParts.run(body, over: substances, in: $0)
    }
    return receipt
      ?? flux.submit(
        FluxOperation(identity, in: flux) { [substances] in
          try MixedParts.run(body, over: substances, in: $0)
        },
        isolation: isolation
      )
  }

  private static func run(
    _ body: @Sendable () throws -> Bool,
    over substances: [AnySubstance],
    in transaction: FluxTransaction
  ) throws -> FluxOperation.Ending {
    for substance in substances { transaction.lend(substance.participant) }
    return try body() ? .commit : .gone
  }

  /// Performs `body` over them as one operation, and returns what it gave `result`.
  package func transact<Result: Sendable>(
    isolation: isolated (any Actor)?,
    _ body: @escaping @Sendable (TransactionResult<Result>) throws -> Bool
  ) async throws -> Result {
    try Task.checkCancellation()
    guard !isMisused, let flux = substances.first?.flux else { throw FluxError.misused }
    let result = TransactionResult<Result>()
    let receipt = submit(isolation: ActorIdentity(isolation)) { try body(result) }
    if try receipt.mustBeAwaited() {
      let participants = substances.map(\.participant)
      try await flux.finish(receipt, over: participants, at: location, isolation: isolation)
    }
    return try result.get()
  }
}
