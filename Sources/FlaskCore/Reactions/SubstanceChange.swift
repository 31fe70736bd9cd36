@_spi(FlaskInternals) internal import FlaskDiff

/// The change of one key: its name, its old and its new value.
///
/// Like the reaction it comes from, it may be kept and goes on to describe its own moment.
public struct SubstanceChange: Sendable {
  /// A key below a dictionary or an optional.
  final class NestedKey: Sendable {
    let path: String
    let rest: String

    init(path: String, rest: String) {
      self.path = path
      self.rest = rest
    }
  }

  let record: ReactionRecord
  /// The number of the key; of a nested one, of the key that it is below.
  let index: Int
  let nested: NestedKey?

  /// The key, nested ones with dots.
  public func key() -> String { nested?.path ?? record.core.layout.path(of: index) }

  /// The substance that changed.
  public func substance() -> AnySubstance { record.core.substance }

  /// The value before the operation as the asked type; `nil` if there was none: the key is new, or an optional was nil.
  /// A type that the value is not is a fault, and `nil`.
  @inlinable
  public func oldValue<Value>(fileID: StaticString = #fileID, line: UInt = #line) -> Value? {
    if let place = beginReading(.old) {
      defer { if place.isPinned { endReading() } }
      if place.type == Value.self { return place.address.assumingMemoryBound(to: Value.self).pointee }
    }
    return convertedValue(.old, at: SourcePlace(fileID, line))
  }

  /// The value after the operation as the asked type; `nil` if there is none: the key is gone, or an optional is nil.
  /// A type that the value is not is a fault, and `nil`.
  @inlinable
  public func newValue<Value>(fileID: StaticString = #fileID, line: UInt = #line) -> Value? {
    if let place = beginReading(.new) {
      defer { if place.isPinned { endReading() } }
      if place.type == Value.self { return place.address.assumingMemoryBound(to: Value.self).pointee }
    }
    return convertedValue(.new, at: SourcePlace(fileID, line))
  }
}
