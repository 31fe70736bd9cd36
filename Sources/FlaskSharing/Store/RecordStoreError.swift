/// The failure of a store.
///
/// Later versions may add cases: a `switch` over it has an `@unknown default`.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum RecordStoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Nothing was written, and it may be possible later.
  case unavailable(String)
  /// The connection was lost, or an error of I/O happened, during the commit: it may have been done, or not.
  case unknownOutcome(String)
  /// Nothing was written, and the database asks to begin at once again: a deadlock, or a number that another
  /// transaction has taken.
  case conflict(String)
  /// Nothing was written, and trying again would not help.
  case refused(String)

  /// The error in one sentence.
  public var description: String {
    switch self {
    case .unavailable(let reason), .conflict(let reason): "the database is not available: \(reason)"
    case .unknownOutcome(let reason): "it is not known whether the database has written it: \(reason)"
    case .refused(let reason): reason
    }
  }
}
