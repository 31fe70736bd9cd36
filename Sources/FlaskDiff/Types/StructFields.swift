/// The stored properties of a struct, verified against the memory of the type.
final class StructFields: @unchecked Sendable {
  // `@unchecked Sendable`, since a field refers to its record by a class that is not final: everything here is
  // constant.

  /// In the order of declaration.
  let fields: [StoredField]
  /// The properties that are keys: all that are not hidden.
  let visible: [StoredField]
  /// The offsets and records of the visible properties, for comparisons, in the same order. They are stored behind a
  /// pointer, and without references to count. Freed with this object.
  let compared: UnsafeBufferPointer<ComparedField>
  /// The reason why a struct with stored properties is treated as one value; `nil` for all other types.
  let doubt: String?

  init(_ fields: [StoredField], doubt: String? = nil) {
    self.fields = fields
    let visible = fields.filter { !$0.isHidden }
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
    self.doubt = doubt
  }

  deinit { compared.deallocate() }

  /// The empty list of stored properties, for a type that is treated as one value.
  static let none = StructFields([])

  static func doubtful(_ reason: String) -> StructFields { StructFields([], doubt: reason) }

  /// Whether the struct has stored properties and all of them are hidden.
  var areAllHidden: Bool { !fields.isEmpty && visible.isEmpty }

  /// Whether a stored property is hidden by its name, which begins with `_` or `$`. Such a name belongs to a cache or
  /// to lazy storage, which is not compared. It may also belong to the storage of a property wrapper, which is reported
  /// under the name of its property: see `WrapperStorage`.
  static func isHidden(_ name: String) -> Bool { name.hasPrefix("_") || name.hasPrefix("$") }
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
  /// The name of the property; for the storage of a property wrapper, the name of the wrapped property.
  let name: String
  let offset: Int
  /// The record of the property's memory, which may have another form than in generic code.
  let record: TypeRecord
  /// True if a value of this property can only be copied together with its struct.
  let isCopiedWithHolder: Bool
  /// Whether the property is the storage of a property wrapper.
  var isWrapped = false
  /// The offset and the record of the wrapper's stored value; `nil` if the wrapper computes the value.
  var wrappedValue: (offset: Int, record: TypeRecord)?

  var isHidden: Bool { StructFields.isHidden(name) }
  /// The offset and the record of the value that is reported under `name`.
  var value: (offset: Int, record: TypeRecord) { wrappedValue ?? (offset, record) }
  /// True if the property is the storage of a wrapper that computes its value, so that its storage is compared.
  var isOpaqueStorage: Bool { isWrapped && wrappedValue == nil }
}
