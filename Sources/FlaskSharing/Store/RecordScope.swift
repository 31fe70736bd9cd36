/// The rows that have to be read.
public enum RecordScope: Hashable, Sendable {
  /// The rows that commits with a higher number have touched. If one of these commits has no list of them, all rows are
  /// read.
  case changes(after: Int)
  /// All. If `isRestored`, the group is not what the process knew: a backup was restored, or a standby promoted.
  case everything(isRestored: Bool)

  /// Whether all rows are read.
  public var isEverything: Bool { if case .everything = self { true } else { false } }
}
