/// What `explore` has found.
public struct Exploration: Sendable {
  /// How many orders were run.
  public let runs: Int
  /// Whether these were all that there are.
  public let isComplete: Bool
  /// The shortest order that fails; `nil` if none did.
  public let failingOrder: TestOrder?
  /// What failed in it.
  public let issues: [TestIssue]
}
