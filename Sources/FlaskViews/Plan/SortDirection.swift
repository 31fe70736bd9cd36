/// Whether the smallest key comes first or last.
public enum SortDirection: Sendable {
  /// The smallest first.
  case ascending
  /// The largest first.
  case descending
}
