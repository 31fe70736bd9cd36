/// A reference to a substance from a scope. The scope that is passed to work must not retain the substance: work that
/// never returns would keep it alive.
package enum SubstanceReference: Sendable {
  case retained(AnySubstance)
  case unretained(UnretainedSubstance)

  /// The substance; `nil` if it is not retained, and its deallocation has begun.
  package var object: AnySubstance? {
    switch self {
    case .retained(let substance): substance
    case .unretained(let reference): reference.object()
    }
  }

  /// The cell of the substance, which outlives it.
  package var cell: Cell {
    switch self {
    case .retained(let substance): substance.cell
    case .unretained(let reference): reference.cell
    }
  }

  /// Whether it is the reference of a scope that was passed to work.
  package var isOfWork: Bool { if case .unretained = self { true } else { false } }

  /// This reference, not retaining the substance.
  package var unretained: SubstanceReference {
    guard case .retained(let substance) = self else { return self }
    return .unretained(UnretainedSubstance(substance))
  }
}

/// A non-retaining reference to a substance, with the cell of the substance, which it retains.
package final class UnretainedSubstance: Sendable {
  package let cell: Cell
  package let object: @Sendable () -> AnySubstance?

  package init(_ substance: AnySubstance) {
    cell = substance.cell
    object = substance.reference
  }
}
