/// A substance of a recording.
public struct RecordedSubstance: Sendable, Identifiable, Hashable {
  /// The number of the substance in the recording.
  public let number: Int
  /// The name that the substance was given, or a name made for messages.
  public let name: String
  /// Whether it was given a name.
  public let isNamed: Bool
  /// The type of the state, with the name of its module.
  public let stateType: String
  /// Where it was made.
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
