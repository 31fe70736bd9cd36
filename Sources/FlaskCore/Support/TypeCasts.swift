/// Types by their identifiers.
enum TypeCasts {
  /// The type of which an identifier was made.
  ///
  /// To be called with `ObjectIdentifier(SomeType.self)` only, never with that of an object.
  static func type(_ identifier: ObjectIdentifier) -> Any.Type {
    // The identifier of a type is the address of its metadata, and so is a metatype: one pointer each. Types are never
    // released.
    unsafeBitCast(identifier, to: Any.Type.self)
  }

  /// The name of a type with that of its module, as recordings have it.
  static func name(_ identifier: ObjectIdentifier) -> String { String(reflecting: type(identifier)) }
}
