/// One key of a layout: a stored property that is reached from the root through structs only.
struct LayoutKey {
  let name: String
  let path: String
  let parent: Int
  /// From the start of the state.
  let offset: Int
  let record: TypeRecord
  /// Whether the key is a property with a property wrapper, or is nested in such a property. A key path to this key has
  /// no stored offset.
  let isWrapped: Bool
  /// Whether the value of the key is the storage of a property wrapper, since the wrapper computes the wrapped value.
  /// Such a key has no nested keys.
  let isOpaqueStorage: Bool

  /// The offset of the value and its type; `nil` if the memory cannot be read as a value of this type.
  var place: (offset: Int, type: Any.Type)? { record.isDirect ? (offset, record.type) : nil }
}

/// The result of looking up a dotted path in a layout.
package enum KeyLookup: Equatable, Sendable {
  /// A key of the layout, by its index.
  case key(Int)
  /// A key that only some values have. `rest` must be looked up in the value of the key with the index `under`.
  case nested(under: Int, rest: String)
  /// No value of the type can have such a key.
  case unknown
}
