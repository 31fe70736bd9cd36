/// A question of a process about a group.
public struct RecordQuery: Sendable {
  /// The name of the group.
  public var group: String
  /// The commit up to which the process knows the group; `nil` if it knows nothing.
  public var since: RecordPosition?
  /// The parts of which the process knows the rows up to `since`.
  public var parts: Set<String>
  /// The parts of which it knows nothing.
  public var newParts: Set<String>
  /// Rows to read even if they have not changed.
  public var keys: [RecordKey]
  /// Tokens of commits whose outcome is unknown.
  public var tokens: [String]
  /// Names of leases whose holders are asked for. Until the end of a transaction they stay what they are.
  public var leases: [String]

  /// A query.
  public init(
    group: String,
    since: RecordPosition? = nil,
    parts: Set<String> = [],
    newParts: Set<String> = [],
    keys: [RecordKey] = [],
    tokens: [String] = [],
    leases: [String] = []
  ) {
    self.group = group
    self.since = since
    self.parts = parts
    self.newParts = newParts
    self.keys = keys
    self.tokens = tokens
    self.leases = leases
  }

  /// Which rows of the known parts have to be read. A store asks once it has read the head.
  ///
  /// - Parameters:
  ///   - head: the present head of the group.
  ///   - tokenThen: the token of the commit whose number `since` has; `nil` if there is no such commit. A store passes
  ///     the empty token for the number 0.
  public func scope(of head: RecordHead, tokenThen: String?) -> RecordScope {
    guard let since else { return .everything(isRestored: false) }
    if since.incarnation != head.incarnation || since.number > head.number {
      return .everything(isRestored: true)
    }
    if since.number < head.horizon { return .everything(isRestored: false) }
    return tokenThen == since.token ? .changes(after: since.number) : .everything(isRestored: true)
  }
}
