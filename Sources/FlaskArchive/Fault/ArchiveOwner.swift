/// Who has an archive, as faults name it.
public struct ArchiveOwner: Hashable, Sendable {
  /// The name that was given to the archiver.
  public let name: String

  /// Where in the source the owner was made, such as `App.swift:12`, if that was said.
  public let place: String?

  init(name: String, place: String? = nil) {
    self.name = name
    self.place = place
  }
}

extension ArchiveOwner: CustomStringConvertible {
  /// The name, and the place in brackets.
  public var description: String {
    place.map { "\(name) (\($0))" } ?? name
  }
}
