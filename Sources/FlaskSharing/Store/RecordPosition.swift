/// A place in the order of commits of a group.
public struct RecordPosition: Hashable, Sendable {
  /// The identity of the group's history. Each new database has another one.
  public var incarnation: String
  /// The number of the commit; 0 before the first.
  public var number: Int
  /// The token of the commit with this number; empty for 0.
  public var token: String

  /// A position, as a store has read it.
  public init(incarnation: String, number: Int, token: String) {
    self.incarnation = incarnation
    self.number = number
    self.token = token
  }
}
