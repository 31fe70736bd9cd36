extension StructFields {
  /// Returns the stored properties of a struct, if their computed layout agrees with the struct.
  ///
  /// Swift lays out structs by one rule: each property is stored behind the property before it, at the next address
  /// that its alignment allows. If the sizes and alignments of the properties lead to other offsets than the metadata
  /// has, at least one property has an unknown form. The same is true if they lead to another size, alignment or
  /// triviality of the struct. The struct is then treated as one value, which its own type can compare and copy.
  ///
  /// - Parameters:
  ///   - holder: The record of the struct.
  ///   - metadata: The properties.
  static func verified(of holder: TypeRecord, _ metadata: [FieldMetadata]?) -> StructFields {
    guard let metadata else { return .doubtful("has no field metadata") }
    let isGeneric = FieldMetadata.isGeneric(holder.type)
    var fields: [StoredField] = []
    var end = 0
    var alignment = 1
    var isTrivial = true
    for (index, field) in metadata.enumerated() {
      let record: TypeRecord
      var wrapped: String?
      switch field.ownership {
      case .strong:
        guard let type = field.type(inStruct: holder.type) else {
          return .doubtful("has no type for `\(field.name)`")
        }
        guard let stored = storedRecord(of: type, field: field, isGeneric: isGeneric)
        else {
          return .doubtful("holds `\(field.name)` in a form that is not known")
        }
        record = stored
        wrapped = WrapperStorage.wrappedName(of: field, type: type, among: metadata)
      case .weak, .unowned, .unmanaged:
        // The metadata has no size of a reference. A reference to `any P` takes more than one word, since a pointer to
        // a witness table follows. So the size is the distance to the next property.
        let limit = metadata[(index + 1)...].first { $0.offset > field.offset }?.offset ?? holder.size
        let size = ReferenceRecord.size(upTo: min(limit, holder.size) - field.offset)
        guard let size else { return .doubtful("has no room for `\(field.name)`") }
        record = ReferenceRecord(field.ownership, to: field.referredType(inStruct: holder.type), size: size)
      }
      let offset = (end + record.alignment - 1) & ~(record.alignment - 1)
      // The offset of the property must be the computed one. A property of size zero is an exception: it may have any
      // offset.
      guard record.size == 0 || field.offset == offset else {
        return .doubtful("has `\(field.name)` at \(field.offset), not at \(offset)")
      }
      let value = wrapped == nil ? nil : wrappedValue(in: record)
      fields.append(
        StoredField(
          name: wrapped ?? nameWithoutLazyStorage(field.name),
          isUnderscored: wrapped == nil && StoredField.isUnderscored(field.name),
          offset: record.size == 0 ? 0 : offset,
          record: wrapped == nil || value != nil ? record : .storage(of: record.type),
          isCopiedWithHolder: !record.canBeCopied,
          isWrapped: wrapped != nil,
          wrappedValue: value.map { (offset + $0.offset, $0.record) }
        )
      )
      if record.size > 0 { end = offset + record.size }
      alignment = max(alignment, record.alignment)
      isTrivial = isTrivial && record.isTrivial
    }
    guard end == holder.size || fields.isEmpty else {
      return .doubtful("has \(holder.size) bytes, its properties take \(end)")
    }
    guard alignment == holder.alignment else {
      return .doubtful("is aligned to \(holder.alignment), its properties to \(alignment)")
    }
    guard isTrivial == holder.isTrivial || fields.isEmpty else {
      return .doubtful("is \(holder.isTrivial ? "" : "not ")trivial, its properties are otherwise")
    }
    return StructFields(fields, of: holder.type)
  }

  /// The name of a lazy property from the name of its storage; any other name unchanged.
  static func nameWithoutLazyStorage(_ name: String) -> String {
    let prefix = "$__lazy_storage_$_"
    return name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : name
  }

  /// The offset and the record of the value in the storage of a wrapper; `nil` if the wrapper computes the value.
  private static func wrappedValue(in storage: TypeRecord) -> (offset: Int, record: TypeRecord)? {
    storage.fields.fields.first { $0.name == "wrappedValue" && !$0.isOpaqueStorage }?.value
  }

  /// The record of a property as its struct stores it; `nil` if that is unknown, as of `() -> T` in `S<T>`.
  private static func storedRecord(
    of type: Any.Type,
    field: FieldMetadata,
    isGeneric: Bool
  ) -> TypeRecord? {
    switch ConcreteForm(of: type) {
    case .same: return .of(anyType: type)
    case .other(let record):
      if isGeneric, field.isBareParameter { return .of(anyType: type) }
      return field.isDependent || isGeneric && field.mayUseParameters ? nil : record
    case .unknown: return nil
    }
  }
}
