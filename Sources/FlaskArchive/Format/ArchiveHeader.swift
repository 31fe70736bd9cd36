/// What stands before the state in an archive.
struct ArchiveHeader: Hashable {
  /// The version of the state that the archive was written by.
  let stateVersion: Int

  /// The key the archive was written for.
  let key: String
}
