#if !canImport(Darwin)
  @_spi(Reflection) import Swift

  /// The stored properties of a struct, with their types from the field metadata of the runtime.
  enum RuntimeFields {
    static func fields(of record: TypeRecord) -> StructFields {
      func types<Value>(of type: Value.Type) -> [Any.Type] {
        var types: [Any.Type] = []
        _ = _forEachField(of: type) { _, _, fieldType, _ in
          types.append(fieldType)
          return true
        }
        return types
      }
      guard let metadata = FieldMetadata.fields(of: record.type) else {
        return .doubtful("has no field metadata")
      }
      let found = _openExistential(record.type, do: types)
      return StructFields.verified(metadata, of: record) { found.indices.contains($0) ? found[$0] : nil }
    }
  }
#endif
