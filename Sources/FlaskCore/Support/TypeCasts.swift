extension ObjectIdentifier {
  /// The type that this is the identifier of; not to be asked of that of an object.
  ///
  /// The identifier of a type is the address of its metadata, and so is a metatype: one pointer each. Types are never
  /// released.
  var type: Any.Type { unsafeBitCast(self, to: Any.Type.self) }
}
