extension ObjectIdentifier {
  /// The type with this identifier. Do not use it with the identifier of an object.
  ///
  /// The identifier of a type is the address of its metadata, like a metatype: one pointer. Types are never released.
  var type: Any.Type { unsafeBitCast(self, to: Any.Type.self) }
}
