/// The closures of a chain, in order. The first one is stored inline: most chains have no other.
struct MixSteps: Sendable {
  /// A closure, and the substance that it was written for.
  struct Step: @unchecked Sendable {
    // `@unchecked` because of the cast: the closure is only ever called with the substance it was written for. A closure over
    // any class takes one reference, so the cast changes no calling convention; it saves the allocation of a closure around
    // the closure, which was a tenth of a mix.
    private struct Typed<T: AnySubstance> { let body: @Sendable (T) throws -> Void }
    private struct Untyped { let body: @Sendable (AnySubstance) throws -> Void }

    private let substance: AnySubstance
    private let untyped: Untyped

    @inline(__always)
    init<T: AnySubstance>(_ substance: T, _ body: @escaping @Sendable (T) throws -> Void) {
      self.substance = substance
      untyped = unsafeBitCast(Typed(body: body), to: Untyped.self)
    }

    /// The core of the substance.
    var core: SubstanceCore {
      @inline(__always) get { substance.core }
    }

    @inline(__always)
    func body() throws { try untyped.body(substance) }
  }

  let first: Step
  var others: [Step]?
}
