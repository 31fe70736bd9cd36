#if !canImport(Darwin)
  @_spi(Reflection) import Swift

  /// The stored properties of a struct, from the field metadata of the runtime.
  enum RuntimeFields {
    static func fields<Value>(of type: Value.Type) -> StructFields {
      var sturdy: Set<String> = []
      // Key paths are not to be had for `weak` and `unowned` storage, which is what tells it from ordinary references.
      let skipUnknown = _EachFieldOptions(rawValue: 1 << 1)
      _ = _forEachFieldWithKeyPath(of: type, options: skipUnknown) { name, _ in
        sturdy.insert(String(cString: name))
        return true
      }
      var fields: [StoredField] = []
      _ = _forEachField(of: type) { name, offset, fieldType, _ in
        let record = TypeRecord.of(anyType: fieldType, way: .runtime)
        let name = String(cString: name)
        let canBeFragile = record.kind == .class || record.kind == .existential || record.kind == .optional
        fields.append(
          StoredField(
            name: name,
            offset: offset,
            record: record,
            isFragile: canBeFragile && !sturdy.contains(name)
          )
        )
        return true
      }
      return fields.isEmpty ? .none : .located(fields)
    }
  }
#endif
