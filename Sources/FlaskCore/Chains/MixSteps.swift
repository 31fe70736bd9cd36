/// The closures of a chain, in order. The first one is stored inline: most chains have no other.
struct MixSteps: Sendable {
  /// A closure and the substance that it is handed.
  struct Step: Sendable {
    let substance: AnySubstance
    let body: @Sendable () throws -> Void

    @inline(__always)
    init<T: AnySubstance>(_ substance: T, _ body: @escaping @Sendable (T) throws -> Void) {
      self.substance = substance
      self.body = { try body(substance) }
    }
  }

  let first: Step
  var others: [Step]?
}
