/// The result of `explore`.
public struct Exploration: Sendable {
  /// How many orders were run.
  public let runs: Int
  /// Whether these were all possible orders.
  public let isComplete: Bool
  /// The shortest order in which the test fails; `nil` if it failed in no order.
  public let failingOrder: TestOrder?
  /// The issues of `failingOrder`.
  public let issues: [TestIssue]
}
