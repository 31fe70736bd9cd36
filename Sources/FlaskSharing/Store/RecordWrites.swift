/// The changes of a transaction. Either all of it is written, or nothing.
public struct RecordWrites: Sendable {
  /// One commit.
  public struct Commit: Hashable, Sendable {
    /// Unique in the group, for ever.
    public var token: String
    /// The rows that it writes, removes or reorders; `nil` for all.
    public var touched: [RecordKey]?

    /// A commit.
    public init(token: String, touched: [RecordKey]?) {
      self.token = token
      self.touched = touched
    }
  }

  /// The commits, which get the next numbers. At least one.
  public var commits: [Commit]
  /// Rows to insert or replace.
  public var rows: [SharedRecord]
  /// Rows to remove. One that does not exist is no error.
  public var removed: [RecordKey]
  /// Rows that get another order, and nothing else.
  public var orders: [RecordKey: String]
  /// The version of the group from now on.
  public var version: Int

  /// The changes of a transaction.
  public init(
    commits: [Commit],
    rows: [SharedRecord] = [],
    removed: [RecordKey] = [],
    orders: [RecordKey: String] = [:],
    version: Int
  ) {
    self.commits = commits
    self.rows = rows
    self.removed = removed
    self.orders = orders
    self.version = version
  }
}
