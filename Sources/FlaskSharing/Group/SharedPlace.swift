/// A place in the order of commits of a group: what `SharedGroup.save()` has reached, and what another process can wait
/// for. Its description is a text for a header or a cookie, from which `SharedPlace(_:)` makes it.
public struct SharedPlace: Hashable, Codable, Sendable, LosslessStringConvertible {
  /// The identity of the group's history.
  public let incarnation: String
  /// The number of the commit.
  public let number: Int

  /// A place that was passed between processes.
  public init(incarnation: String, number: Int) {
    self.incarnation = incarnation
    self.number = number
  }

  /// The place that a description names; `nil` if it is none.
  public init?(_ description: String) {
    guard let dash = description.firstIndex(of: "-"), let number = Int(description[..<dash]), number >= 0
    else {
      return nil
    }
    self.init(incarnation: String(description[description.index(after: dash)...]), number: number)
  }

  /// The number and the identity of the history.
  public var description: String { "\(number)-\(incarnation)" }
}
