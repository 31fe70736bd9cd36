/// The owner of an archive, as faults name it.
public struct ArchiveOwner: Hashable, Sendable {
  /// The name that the archiver was given.
  public internal(set) var name: String

  /// The line of the source that made the owner, such as `App.swift:12`, if the owner has reported it.
  public internal(set) var place: String?

  /// The number of the substance, if the owner is a substance.
  var substance: Int?

  /// Whether the owners are different. If two threads make the archive of one substance at the same time, one thread
  /// discards its archive: this is the same owner.
  func isOther(than owner: ArchiveOwner) -> Bool { substance == nil || substance != owner.substance }
}

extension ArchiveOwner: CustomStringConvertible {
  /// The name, and the line of the source in brackets.
  public var description: String {
    place.map { "\(name) (\($0))" } ?? name
  }
}
