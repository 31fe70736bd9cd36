/// The substances of a history, all of one flux. Performs marked operations that change these substances together.
struct MarkedMix: Sendable {
  // The substances. They are retained, since a queued operation may be the last reference to them.
  let substances: [AnySubstance]
  private let flux: Flux

  /// - Parameters:
  ///   - substances: the substances. Substances of another flux than `flux` are reported as a fault and ignored.
  ///   - flux: the flux.
  init(of substances: [AnySubstance], in flux: Flux) {
    self.flux = flux
    var members: [AnySubstance] = []
    for substance in substances {
      if substance.flux !== flux {
        substance.report(
          .substancesOfDifferentFluxes,
          "\(substance.name()) belongs to another flux than the others of an operation, so it is ignored; make all of them "
            + "while the same flux is the current one"
        )
      } else if !members.contains(where: { $0 === substance }) {
        members.append(substance)
      }
    }
    self.substances = members
  }

  /// Performs `body` over all substances as one operation: now, or when its turn comes.
  ///
  /// - Parameters:
  ///   - mark: passed to observers of commits, as `CommitOrigin.mark`.
  ///   - isByAddress: whether `body` writes to the drafts by their addresses instead of by `prop`.
  ///   - name: the name of the operation in traces.
  ///   - options: those of the caller.
  ///   - origin: whether a client has submitted the operation.
  func submit(
    mark: any AnyObject & Sendable,
    byAddress isByAddress: Bool,
    named name: String?,
    with options: MixOptions,
    by origin: OperationIdentity.Origin = .client,
    _ body: @escaping @Sendable () throws -> Void
  ) -> FluxReceipt {
    let kind: OperationIdentity.Kind = substances.count > 1 ? .chain : .mix
    let identity = OperationIdentity(kind, name: name, at: options.place, by: origin)
    return flux.perform(identity, isolation: options.isolation) { [substances] drafts in
      drafts.mark = mark
      for substance in substances {
        if isByAddress {
          drafts.openDraft(of: substance.cell)
        } else {
          drafts.enlist(substance.cell)
        }
      }
      try body()
      return .commit
    }
  }
}
