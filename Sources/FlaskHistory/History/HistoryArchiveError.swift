/// The error of steps that can't be archived or restored.
///
/// Later versions may add cases: a `switch` over it has an `@unknown default`.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum HistoryArchiveError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The state of a substance is not `Codable`.
  case notCodable(substance: String)
  /// The data is no archived history.
  case notAHistory
  /// The archive was written by a newer version of Flask.
  case unknownVersion(Int)
  /// The archive is of other substances, or of the same substances in another order.
  case otherSubstances
  /// The operation was dropped while it waited.
  case notPerformed

  /// The problem as text.
  public var description: String {
    switch self {
    case .notCodable(let substance):
      "the state of \(substance) is not Codable, so the history of it can't be archived"
    case .notAHistory: "the data is something else than an archived history"
    case .unknownVersion(let version):
      "the archived history has version \(version), which is newer than this code"
    case .otherSubstances: "the archived history is of substances with other states, or in another order"
    case .notPerformed: "the flux was purged before the history had its turn"
    }
  }
}
