/// The stored properties of a struct, verified against the memory of the type.
final class StructFields: @unchecked Sendable {
  // `@unchecked Sendable`, since a field refers to its record by a class that is not final: everything here is
  // constant.

  /// In the order of declaration.
  let fields: [StoredField]
  /// The properties that are compared, and are keys: all, unless the type hides those with `_`.
  let visible: [StoredField]
  /// The offsets and records of the visible properties, for comparisons, in the same order. They are stored behind a
  /// pointer, and without references to count. Freed with this object.
  let compared: UnsafeBufferPointer<ComparedField>
  /// Whether the struct has no nested keys although it has properties: it keeps all that it has behind `_`, as the
  /// types of libraries do.
  let isEncapsulated: Bool
  /// The properties that are nested keys.
  var keys: [StoredField] { isEncapsulated ? [] : visible }
  /// The reason why a struct with stored properties is treated as one value; `nil` for all other types.
  let doubt: String?

  init(_ fields: [StoredField], of type: Any.Type? = nil, doubt: String? = nil) {
    self.fields = fields
    let isHiding = type is any HidesUnderscored.Type
    let visible = isHiding ? fields.filter { !$0.isUnderscored } : fields
    self.visible = visible
    let compared = UnsafeMutableBufferPointer<ComparedField>.allocate(capacity: visible.count)
    for (index, field) in visible.enumerated() {
      compared.initializeElement(
        at: index,
        to: ComparedField(
          record: .passUnretained(field.value.record),
          offset: field.value.offset
        )
      )
    }
    self.compared = UnsafeBufferPointer(compared)
    // In a collection, `_keys` is no property with a wrapper.
    isEncapsulated =
      !isHiding && !fields.isEmpty
      && fields.allSatisfy { $0.isUnderscored || $0.isWrapped && type is any Sequence.Type }
    self.doubt = doubt
  }

  deinit { compared.deallocate() }

  /// The empty list of stored properties, for a type that is treated as one value.
  static let none = StructFields([])

  static func doubtful(_ reason: String) -> StructFields { StructFields([], doubt: reason) }
}

/// The offset of a stored property, and the record that compares its values.
struct ComparedField {
  /// The description of the property's memory. It is not counted here: the `StoredField` from which this value comes
  /// retains it, and lives as long as this value.
  let record: Unmanaged<TypeRecord>
  let offset: Int
}

/// One stored property of a struct.
struct StoredField {
  /// The name of the property; for the storage of a property wrapper or of a lazy property, the name of this property.
  let name: String
  /// Whether the stored name begins with `_`, or with `$` as that of lazy storage, and is not that of a property
  /// wrapper's storage.
  let isUnderscored: Bool
  let offset: Int
  /// The record of the property's memory, which may have another form than in generic code.
  let record: TypeRecord
  /// True if a value of this property can only be copied together with its struct.
  let isCopiedWithHolder: Bool
  /// Whether the property is the storage of a property wrapper.
  var isWrapped = false
  /// The offset and the record of the wrapper's stored value; `nil` if the wrapper computes the value.
  var wrappedValue: (offset: Int, record: TypeRecord)?

  /// The offset and the record of the value that is reported under `name`.
  var value: (offset: Int, record: TypeRecord) { wrappedValue ?? (offset, record) }
  /// True if the property is the storage of a wrapper that computes its value, so that its storage is compared.
  var isOpaqueStorage: Bool { isWrapped && wrappedValue == nil }

  static func isUnderscored(_ name: String) -> Bool { name.hasPrefix("_") || name.hasPrefix("$") }
}
