/// The closures of a chain, in order. The first one is stored inline: most chains have no other.
struct MixSteps: Sendable {
  /// A closure, and the substance that it was written for.
  struct Step: @unchecked Sendable {
    // `@unchecked` because of the reference: the closure holds the substance, which holds its core.
    private let reference: Unmanaged<SubstanceCore>
    let body: @Sendable () throws -> Void

    @inline(__always)
    init<T: AnySubstance>(_ substance: T, _ body: @escaping @Sendable (T) throws -> Void) {
      reference = .passUnretained(substance.core)
      self.body = { try body(substance) }
    }

    /// The core of the substance; alive as long as the closure is.
    var core: SubstanceCore {
      @inline(__always) get { reference._withUnsafeGuaranteedRef { $0 } }
    }
  }

  let first: Step
  var others: [Step]?
}
