internal import FlaskSharing

/// The failure of a statement, or of a connection.
struct PostgresFailure: Error {
  /// The SQLSTATE; empty if libpq has failed.
  var code: String
  var message: String
  /// Whether the connection can't be used any more.
  var isLost: Bool
  /// The number of the statement in its pipeline; `nil` if it is not known.
  var index: Int?

  /// The failure for a group: nothing was written.
  var error: RecordStoreError {
    switch code {
    // A serialization failure, a deadlock, a number that another one has taken, and a statement or a plan that the
    // server does not know any more.
    case "40001", "40P01", "23505", "26000", "0A000", "42P05": .conflict(message)
    case "55P03":
      .unavailable("another transaction keeps the turn of the group, or a row that is needed")
    case "25006": .unavailable("the server is read-only: \(message)")
    case "53100": .unavailable("the disk of the server is full: \(message)")
    case "XX001", "XX002": .refused("the database is damaged: \(message)")
    case _ where code.hasPrefix("22") || code.hasPrefix("54"): .refused(message)
    default: .unavailable(message)
    }
  }

  /// Whether the connection is to be closed.
  var isConnectionSpoilt: Bool {
    isLost || ["25006", "26000", "0A000", "42P05"].contains(code) || code.hasPrefix("57P")
  }

  /// Whether a transaction that was sent as a whole may be done, although an answer is missing or an error.
  ///
  /// - Parameter isPooled: whether a pooler may have answered by itself.
  func mayBeDone(commitAt commit: Int, isPooled: Bool) -> Bool {
    // The server has refused an earlier statement, so it skips the commit.
    if let index, index < commit, !code.isEmpty, !(isLost && isPooled) { return false }
    if isLost || code == "40003" { return true }
    return index == commit && !code.hasPrefix("23") && !code.hasPrefix("40")
  }
}
