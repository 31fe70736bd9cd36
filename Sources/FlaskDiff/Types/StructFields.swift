/// The stored properties of a struct, checked against the memory of the type.
final class StructFields: @unchecked Sendable {
  // `@unchecked Sendable`, since a field refers to its record by a class that is not final: everything here is
  // constant.

  /// In the order of declaration.
  let fields: [StoredField]
  /// The properties that have keys: those that are not hidden.
  let visible: [StoredField]
  /// The fields that a comparison needs of the visible properties, in the same order: without references to count, and
  /// so behind a pointer. Freed with this object.
  let compared: UnsafeBufferPointer<ComparedField>
  /// Why a struct is taken as one value although it has stored properties; `nil` for all others.
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

  /// The fields of a type that is taken as one value.
  static let none = StructFields([])

  static func doubtful(_ reason: String) -> StructFields { StructFields([], doubt: reason) }

  /// Whether the struct has stored properties, and all of them are hidden.
  var areAllHidden: Bool { !fields.isEmpty && visible.isEmpty }

  /// Names that begin so belong to caches and lazy storage, which take no part in comparisons, and to the storage of
  /// property wrappers, which has the name of its property: see `WrapperStorage`.
  static func isHidden(_ name: String) -> Bool { name.hasPrefix("_") || name.hasPrefix("$") }
}

/// The place of a stored property, and the comparison of its values.
struct ComparedField {
  /// Held by the `StoredField` that it comes from, which is as constant as this.
  let record: Unmanaged<TypeRecord>
  let offset: Int
}

/// One stored property of a struct.
struct StoredField {
  /// The name; of the storage of a property wrapper that of the property.
  let name: String
  let offset: Int
  /// The record of the property's memory, which may have another form than a value in generic code.
  let record: TypeRecord
  /// The memory must be copied together with the struct that holds it, since its record does not know how.
  let isCopiedWithHolder: Bool
  /// Whether it is the storage of a property wrapper.
  var isWrapped = false
  /// The wrapper's stored value, if there is one: its place in the struct, and its record.
  var wrappedValue: (offset: Int, record: TypeRecord)?

  var isHidden: Bool { StructFields.isHidden(name) }
  /// The value that a key of the name has.
  var value: (offset: Int, record: TypeRecord) { wrappedValue ?? (offset, record) }
  /// The wrapper computes its value, so its storage is compared.
  var isOpaqueStorage: Bool { isWrapped && wrappedValue == nil }
}
