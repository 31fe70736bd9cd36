/// What a chain has beyond its first two closures: hardly any has more.
///
/// `@unchecked Sendable`: appended to by the one chain that it belongs to, while that is written down; read from then on.
@usableFromInline
final class MoreSteps: @unchecked Sendable {
  private(set) var steps: [MixStep]

  init(_ third: MixStep) { steps = [third] }

  func append(_ step: MixStep) { steps.append(step) }
}
