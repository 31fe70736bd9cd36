/// The result of `explore`.
public struct Exploration: Sendable {
  /// How many orders were run.
  public let runs: Int
  /// Whether these were all that there are.
  public let isComplete: Bool
  /// The shortest order that fails; `nil` if none did.
  public let failingOrder: TestOrder?
  /// The issues of that order.
  public let issues: [TestIssue]
}
