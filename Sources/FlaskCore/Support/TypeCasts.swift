extension ObjectIdentifier {
  /// The type that this is the identifier of; not to be asked of that of an object.
  ///
  /// The identifier of a type, like a metatype, is the address of its metadata: one pointer. Types are never released.
  var type: Any.Type { unsafeBitCast(self, to: Any.Type.self) }
}
