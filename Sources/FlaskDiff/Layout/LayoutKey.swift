/// One key of a layout: a stored property that is reached from the root through structs only.
struct LayoutKey {
  let name: String
  let path: String
  let parent: Int
  /// From the start of the state; `nil` when it could not be found out.
  let offset: Int?
  /// The type, where it is known without a value.
  let record: TypeRecord?
  /// Set when the value can be had only through `Mirror` over the struct that holds it.
  let holder: (record: TypeRecord, offset: Int)?

  /// Where the value lies, and its type; `nil` where only `Mirror` can get at it.
  var place: (offset: Int, type: Any.Type)? {
    guard holder == nil, let record, let offset else { return nil }
    return (offset, record.type)
  }
}
