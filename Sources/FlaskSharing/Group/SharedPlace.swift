/// A place in the order of commits of a group: what `SharedGroup.save()` has reached, and what another process can wait
/// for.
public struct SharedPlace: Hashable, Codable, Sendable {
  /// The identity of the group's history.
  public let incarnation: String
  /// The number of the commit.
  public let number: Int

  /// A place that was passed between processes.
  public init(incarnation: String, number: Int) {
    self.incarnation = incarnation
    self.number = number
  }
}
