/// The stored properties of a struct, with their types from `Mirror` over an example value.
enum MirrorFields {
  static func fields<Value>(of record: TypedRecord<Value>, example: UnsafeRawPointer) -> StructFields {
    // A type that describes itself hides its properties.
    if record.isCustomReflectable { return .none }
    guard let metadata = FieldMetadata.fields(of: record.type) else {
      return .doubtful("has no field metadata")
    }
    let children = Mirror(reflecting: example.assumingMemoryBound(to: Value.self).pointee).children
    guard children.count == metadata.count else { return .doubtful("`Mirror` shows other properties") }
    return StructFields.verified(metadata, of: record, example: example) { index in
      if metadata[index].mayHoldMetatype { return metadata[index].type(inStruct: Value.self) }
      // Only what is asked for is read: an `unowned` reference to an object that is gone would trap.
      let child = children[children.index(children.startIndex, offsetBy: index)]
      return child.label == metadata[index].name ? declaredType(of: child.value) : nil
    }
  }

  /// The type that a property is declared with: `Mirror` boxes its value as that, be it a protocol or a superclass.
  private static func declaredType(of value: Any) -> Any.Type {
    func open<Value>(_ value: Value) -> Any.Type { Value.self }
    return _openExistential(value, do: open)
  }
}
