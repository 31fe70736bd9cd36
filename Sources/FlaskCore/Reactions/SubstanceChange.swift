internal import FlaskDiff

/// The change of one key: its name, its old and its new value.
///
/// Like the reaction it comes from, it may be kept and goes on to describe its own moment.
public struct SubstanceChange: Sendable {
  enum Location: Sendable {
    case key(Int)
    case nested(path: String, under: Int, rest: String)
  }

  let record: ReactionRecord
  let origin: AnySubstance
  let location: Location

  /// The key, nested ones with dots.
  public func key() -> String {
    switch location {
    case .key(let index): origin.core.layout.path(of: index)
    case .nested(let path, _, _): path
    }
  }

  /// The substance that changed.
  public func substance() -> AnySubstance { origin }

  /// The value before the operation as the asked type; `nil` if there was none: the key is new, or an optional was nil.
  /// A type that the value is not is a fault, and `nil`.
  @inlinable
  public func oldValue<Value>(fileID: StaticString = #fileID, line: UInt = #line) -> Value? {
    if let place = beginReading(.old) {
      defer { endReading() }
      if place.type == Value.self { return place.address.assumingMemoryBound(to: Value.self).pointee }
    }
    return convertedValue(.old, at: SourcePlace(fileID, line))
  }

  /// The value after the operation as the asked type; `nil` if there is none: the key is gone, or an optional is nil.
  /// A type that the value is not is a fault, and `nil`.
  @inlinable
  public func newValue<Value>(fileID: StaticString = #fileID, line: UInt = #line) -> Value? {
    if let place = beginReading(.new) {
      defer { endReading() }
      if place.type == Value.self { return place.address.assumingMemoryBound(to: Value.self).pointee }
    }
    return convertedValue(.new, at: SourcePlace(fileID, line))
  }
}
