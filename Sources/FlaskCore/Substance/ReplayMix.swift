/// Substances of one bus whose states a replay writes over.
package struct ReplayMix: Sendable {
  // Held, since an operation that waits may be all that is left.
  private let substances: [AnySubstance]
  private let flux: Flux
  private let place: SourcePlace

  /// - Parameter substances: all of one bus.
  package init(of substances: [AnySubstance], in flux: Flux, at place: SourcePlace) {
    self.flux = flux
    self.place = place
    self.substances = substances
  }

  /// Performs `body`, which writes to the drafts by their addresses, as one operation, now or when its turn comes.
  package func submit(isolation: (any Actor)?, _ body: @escaping @Sendable () throws -> Void) -> FluxReceipt {
    flux.submit(work(.present, body), isolation: ActorIdentity(isolation))
  }

  /// The same before everything that waits, and although the flux is locked.
  package func submitExclusively(isolation: (any Actor)?, _ body: @escaping @Sendable () throws -> Void)
    -> FluxReceipt
  { flux.submitExclusively(work(.present, body), isolation: ActorIdentity(isolation)) }

  /// The same, and archives keep to the present.
  package func showPast(isolation: (any Actor)?, _ body: @escaping @Sendable () throws -> Void) -> FluxReceipt
  { flux.submitExclusively(work(.past, body), isolation: ActorIdentity(isolation)) }

  /// Brings the present back, before everything that waits, and although the flux is locked.
  package func comeBack(isolation: (any Actor)?) -> FluxReceipt {
    flux.submitExclusively(work(.back) {}, isolation: ActorIdentity(isolation))
  }

  private func work(_ way: ReplayWay, _ body: @escaping @Sendable () throws -> Void) -> FluxOperation {
    .replay(way, over: substances.map(\.cell), holding: substances, in: flux, at: place, body)
  }
}
