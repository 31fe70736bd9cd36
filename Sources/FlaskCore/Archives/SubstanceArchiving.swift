@_spi(FlaskInternals) internal import FlaskArchive

/// Whether and where a substance is archived, and by whom.
struct SubstanceArchiving<S: State>: Sendable {
  /// What the user asked for: `archive:` or `shouldArchive`.
  var isWanted: Bool
  /// The backend that the user chose; `nil` for `Flask.defaultArchive`.
  let backend: (any ArchiveBackend)?
  /// Made when it is first needed; another one when the substance gets a name that gives another key.
  var archiver: StateArchiver<ArchivedState<S>>?
  /// The key that the archiver was made for.
  var key: String?
}
