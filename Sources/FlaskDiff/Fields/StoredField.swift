/// One stored property of a struct.
struct StoredField {
  let name: String
  let offset: Int
  let record: TypeRecord
  /// The storage may be `weak` or `unowned`: it must neither be read through its address nor copied by itself.
  let isFragile: Bool

  var isHidden: Bool { StructFields.isHidden(name) }
}
