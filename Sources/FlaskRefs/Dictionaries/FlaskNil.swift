/// The value of an entry of a dictionary that exists and is `nil`.
///
/// Assigning `nil` to a key of a ``FlaskDictRef`` removes the key; assigning this keeps it.
public struct FlaskNil: Hashable, Sendable, CustomStringConvertible {
  /// The one value.
  public init() {}

  /// Always `nil`.
  public var description: String { "nil" }
}
