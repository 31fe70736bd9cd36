/// A number of an archive, kept digit for digit, so that no precision is lost on the way through a migration.
public struct ArchiveNumber: Hashable, Sendable, CustomStringConvertible {
  /// The number as text, exactly as in the archive.
  public let description: String

  /// Wraps a literal that is known to be well-formed.
  package init(checked literal: String) {
    description = literal
  }
}
