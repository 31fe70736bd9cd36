/// The stored properties of a struct, from `Mirror` over an example value.
///
/// `Mirror` tells names and dynamic types but no offsets. These follow from Swift's rule for structs and are then
/// checked: size and alignment must come out, and each child's bytes must stand at its offset in the example.
/// What cannot be checked is reached through `Mirror` alone.
enum MirrorFields {
  static func fields<Value>(of record: TypedRecord<Value>, example: UnsafeRawPointer?) -> StructFields {
    guard let example, !record.isCustomReflectable else { return .none }
    let mirror = Mirror(reflecting: example.assumingMemoryBound(to: Value.self).pointee)
    guard mirror.displayStyle == .struct, !mirror.children.isEmpty else { return .none }
    var fields: [StoredField] = []
    var names: [String] = []
    var end = 0
    var alignment = 1
    var isVerified = true
    for child in mirror.children {
      guard let name = child.label else { return .none }
      names.append(name)
      withOpened(child.value, way: .mirror) { bytes, childRecord in
        let offset = (end + childRecord.alignment - 1) & ~(childRecord.alignment - 1)
        end = offset + childRecord.size
        alignment = max(alignment, childRecord.alignment)
        let isFragile = isReference(childRecord)
        fields.append(
          StoredField(name: name, offset: offset, record: childRecord, isFragile: isFragile)
        )
        guard end <= record.size else { return isVerified = false }
        // The bits of a weak reference are not those of the reference that is read from it.
        if !isFragile, !sameBytes(example + offset, bytes, count: childRecord.size) { isVerified = false }
      }
    }
    isVerified = isVerified && end == record.size && alignment == record.alignment
    return isVerified ? .located(fields) : .reflected(names)
  }

  /// Whether storage of this type might be `weak` or `unowned`, which `Mirror` does not tell.
  private static func isReference(_ record: TypeRecord) -> Bool {
    switch record.kind {
    case .class, .existential: true
    case .optional: record.contentRecords.map { $0.contains(where: isReference) } ?? true
    default: false
    }
  }

  private static func sameBytes(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, count: Int) -> Bool {
    (0..<count).allSatisfy {
      a.load(fromByteOffset: $0, as: UInt8.self) == b.load(fromByteOffset: $0, as: UInt8.self)
    }
  }
}
