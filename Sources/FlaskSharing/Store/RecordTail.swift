/// The answer of a store, read at one moment.
public struct RecordTail: Sendable {
  /// The head at that moment.
  public var head: RecordHead
  /// The rows that were read of the known parts.
  public var scope: RecordScope
  /// The rows: of a new part all; of a known part all, or those that have been touched; and those that were requested.
  public var rows: [SharedRecord]
  /// Rows of known parts that commits after `since` have touched. One that is not in `rows` was removed.
  public var touched: Set<RecordKey>
  /// The numbers of those tokens in question that were found.
  public var found: [String: Int]
  /// The leases in question that were ever taken, by their names, with their last holders.
  public var leases: [String: Fence]

  /// An answer.
  public init(
    head: RecordHead,
    scope: RecordScope,
    rows: [SharedRecord],
    touched: Set<RecordKey> = [],
    found: [String: Int] = [:],
    leases: [String: Fence] = [:]
  ) {
    self.head = head
    self.scope = scope
    self.rows = rows
    self.touched = touched
    self.found = found
    self.leases = leases
  }
}
