/// A substance of a recording.
public struct RecordedSubstance: Sendable, Identifiable, Hashable {
  /// The number of the substance in the recording.
  public let number: Int
  /// The name that client code has given the substance, or a generated name.
  public let name: String
  /// Whether client code has given the substance a name.
  public let isNamed: Bool
  /// The type of the state, with the name of its module.
  public let stateType: String
  /// The source location where the substance was made.
  public let place: String
  /// The number.
  public var id: Int { number }
}

extension RecordedSubstance {
  init?(_ line: ArchiveValue) {
    guard let number = line["substance"]?.int, let name = line["name"]?.string,
      let type = line["type"]?.string
    else { return nil }
    self.number = number
    self.name = name
    isNamed = line["isNamed"]?.bool ?? false
    stateType = type
    place = line["place"]?.string ?? ""
  }
}
