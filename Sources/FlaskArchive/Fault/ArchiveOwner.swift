/// The owner of an archive, as faults name it.
public struct ArchiveOwner: Hashable, Sendable {
  /// The name that was given to the archiver.
  public internal(set) var name: String

  /// Where in the source the owner was made, such as `App.swift:12`, if that was said.
  public internal(set) var place: String?

  /// The number of the substance, if it is one.
  var substance: Int?

  /// Whether it is a different one: of two threads that make the archive of one substance at the same time, one
  /// discards its own.
  func isOther(than owner: ArchiveOwner) -> Bool { substance == nil || substance != owner.substance }
}

extension ArchiveOwner: CustomStringConvertible {
  /// The name, and the place in brackets.
  public var description: String {
    place.map { "\(name) (\($0))" } ?? name
  }
}
