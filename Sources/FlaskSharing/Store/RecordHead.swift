/// The present head of a group.
public struct RecordHead: Hashable, Sendable {
  /// The greatest number, with its token.
  public var position: RecordPosition
  /// The greatest version of the programs that have written the group.
  public var version: Int
  /// The smallest number of which the commit is still listed; 0 if no commit was ever removed from the list.
  public var horizon: Int

  /// The identity of the group's history.
  public var incarnation: String { position.incarnation }
  /// The greatest number.
  public var number: Int { position.number }

  /// A head, as a store has read it.
  public init(position: RecordPosition, version: Int, horizon: Int) {
    self.position = position
    self.version = version
    self.horizon = horizon
  }
}
