/// Substances of one flux whose states a replay overwrites.
struct ReplayMix: Sendable {
  private enum Mode {
    /// The written states are the present states from now on.
    case present
    /// The written states are past states. The first operation of this kind stores the present states, and archives
    /// continue to save these.
    case past
    /// The present states are written again.
    case back
  }

  // The substances. They are retained, since the queued operation may be the last reference to them.
  private let substances: [AnySubstance]
  private let flux: Flux
  private let place: SourcePlace

  /// - Parameter substances: substances of one flux.
  init(of substances: [AnySubstance], in flux: Flux, at place: SourcePlace) {
    self.flux = flux
    self.place = place
    self.substances = substances
  }

  /// Performs `body` as one operation, now or when its turn comes. `body` writes to the drafts by their addresses.
  func submit(isolation: (any Actor)?, _ body: @escaping @Sendable () throws -> Void) -> FluxReceipt {
    flux.submit(operation(.present, body), isolation: ActorIdentity(isolation))
  }

  /// Performs `body` before all queued operations, even if the flux is locked.
  func submitExclusively(isolation: (any Actor)?, _ body: @escaping @Sendable () throws -> Void)
    -> FluxReceipt
  {
    flux.submitExclusively(operation(.present, body), isolation: ActorIdentity(isolation))
  }

  /// Performs `body` as `submitExclusively` does; archives save the present states.
  func showPast(isolation: (any Actor)?, _ body: @escaping @Sendable () throws -> Void) -> FluxReceipt {
    flux.submitExclusively(operation(.past, body), isolation: ActorIdentity(isolation))
  }

  /// Writes the present states again, before all queued operations, even if the flux is locked.
  func comeBack(isolation: (any Actor)?) -> FluxReceipt {
    flux.submitExclusively(operation(.back) {}, isolation: ActorIdentity(isolation))
  }

  private func operation(_ mode: Mode, _ body: @escaping @Sendable () throws -> Void) -> FluxOperation {
    let cells = substances.map(\.cell)
    let didComeBack: @Sendable (OperationResult) -> Void = { result in
      if result.isDone { for cell in cells { cell.forgetPresent() } }
    }
    return FluxOperation(
      OperationIdentity(mode == .present ? .replay : .travel, at: place),
      in: flux,
      completion: mode == .back ? didComeBack : nil
    ) { [substances] drafts in
      drafts.mark = OutsideMark(isTravel: mode != .present)
      if mode == .past { for substance in substances { substance.cell.keepPresent() } }
      for substance in substances {
        drafts.openDraft(of: substance.cell)
        if mode == .back { substance.cell.draftPresent() }
      }
      try body()
      return .commit
    }
  }
}

extension Flux {
  /// Drops the waiting operations that were caused by an operation with one of these numbers. Only traced causes are
  /// known.
  func dropWaiting(causedBy numbers: Set<Int>) {
    while dropFirstWaiting(where: { $0.submission?.cause.map { numbers.contains($0.operation) } ?? false }) {}
  }
}
