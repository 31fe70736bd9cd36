/// A number in an archive. All its digits are preserved, so that a migration loses no precision.
public struct ArchiveNumber: Hashable, Sendable, CustomStringConvertible {
  /// The number as text, exactly as in the archive.
  public let description: String

  /// Makes a number of a JSON literal that the caller knows to be well-formed.
  package init(checked literal: String) {
    description = literal
  }
}
