/// One row of a shared group: an element of an `Entities`, or the state of a part without its `Entities`.
public struct SharedRecord: Hashable, Sendable {
  /// The identity of the row.
  public var key: RecordKey
  /// The position among the elements of one path. Orders are compared byte by byte, and rows of equal order by
  /// identity.
  public var order: String
  /// The version of the program that wrote the row: see `SharedGroup`.
  public var version: Int
  /// JSON text.
  public var body: String

  /// A row.
  public init(key: RecordKey, order: String, version: Int, body: String) {
    self.key = key
    self.order = order
    self.version = version
    self.body = body
  }
}
