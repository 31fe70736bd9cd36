/// The owner of an archive, as faults name it.
@_spi(Checks) public struct ArchiveOwner: Hashable, Sendable {
  /// The name that the archiver was given.
  public internal(set) var name: String

  /// The source location where the owner was made, such as `App.swift:12`, if the owner has reported it.
  public internal(set) var place: String?

  /// The serial number of the substance, if the owner is a substance.
  var substance: Int?

  /// Returns true if the owners are different. Two threads may make the archive of one substance at the same time. One
  /// of the two archives is then discarded, and both count as the same owner.
  func isOther(than owner: ArchiveOwner) -> Bool { substance == nil || substance != owner.substance }
}

@_spi(Checks) extension ArchiveOwner: CustomStringConvertible {
  /// The name, followed by the source location in brackets.
  public var description: String {
    place.map { "\(name) (\($0))" } ?? name
  }
}
