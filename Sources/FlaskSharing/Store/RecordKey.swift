/// The identity of one row of a shared group.
public struct RecordKey: Hashable, Sendable {
  /// The name of the part: the key of a substance in the group.
  public var part: String
  /// The path of the `Entities` in the state, its keys joined by dots; empty for the state without its `Entities`.
  public var path: String
  /// The identity of the element as canonical JSON; empty for the state without its `Entities`.
  public var id: String

  /// The identity of a row.
  public init(part: String, path: String = "", id: String = "") {
    self.part = part
    self.path = path
    self.id = id
  }

  /// Whether the row is the state of the part without its `Entities`. A part exists if it has this row.
  public var isRest: Bool { path.isEmpty && id.isEmpty }
}
