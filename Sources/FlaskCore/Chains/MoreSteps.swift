/// What a chain has beyond its first closure: most have nothing.
///
/// `@unchecked Sendable`: appended to by the one chain that it belongs to, while that is written down; read from then on.
@usableFromInline
final class MoreSteps: @unchecked Sendable {
  let second: MixStep
  // Unchecked, which saves a hundred instructions: see above.
  @exclusivity(unchecked) private(set) var others: [MixStep] = []

  init(_ second: MixStep) { self.second = second }

  func append(_ step: MixStep) { others.append(step) }
}
