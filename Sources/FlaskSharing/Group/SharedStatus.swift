/// How a shared group stands to its database. Observed as any state: `group.status`.
public struct SharedStatus: Hashable, Sendable {
  /// The phases of a group.
  ///
  /// Later versions may add cases: a `switch` over it has an `@unknown default`.
  #if hasAttribute(nonexhaustive)
    @nonexhaustive
  #endif
  public enum Phase: Hashable, Sendable {
    /// It was not read yet.
    case opening
    /// All that was saved is durable, and all that was read is installed, or about to be.
    case current
    /// A transaction is in progress.
    case saving
    /// The database can't be reached. It is tried again.
    case offline(reason: String)
    /// Nothing is written any more, but others' changes still arrive: a newer version has written the group, or the
    /// group was made to read only and has changes.
    case refused(reason: String)
  }

  /// The present phase.
  public var phase = Phase.opening
  /// The number of rows that were changed here and are not known to be durable, as of the last attempt to save them.
  public var pendingRows = 0
  /// How often the database was found with another history: a restored backup, or a promoted standby.
  public var restorations = 0
  /// The number of the last commit that is known here.
  public var commit = 0

  /// The status of a group that was not read yet.
  public init() {}
}
