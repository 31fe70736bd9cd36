/// The closures of a chain, in order. The first one is stored inline: most chains have no other.
struct MixSteps: Sendable {
  /// A closure, and the substance that it was written for.
  struct Step: Sendable {
    let core: SubstanceCore
    let body: @Sendable () throws -> Void

    @inline(__always)
    init<T: AnySubstance>(_ substance: T, _ body: @escaping @Sendable (T) throws -> Void) {
      core = substance.core
      self.body = { try body(substance) }
    }
  }

  let first: Step
  var others: [Step]?
}
