/// Compares enums by case and payload; never calls them the same when in doubt.
final class EnumComparison<Value>: Comparison, @unchecked Sendable {
  private let canBeReflected: Bool
  private let hasOwnText: Bool

  init(record: TypeRecord) {
    canBeReflected = !record.isCustomReflectable && FieldMetadata.canMirrorPayloads(of: Value.self)
    hasOwnText =
      Value.self is any CustomStringConvertible.Type || Value.self is any CustomDebugStringConvertible.Type
      || Value.self is any TextOutputStreamable.Type
  }

  override func areEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, depth: Int) -> Bool {
    if !canBeReflected { return false }
    let a = a.assumingMemoryBound(to: Value.self).pointee
    let b = b.assumingMemoryBound(to: Value.self).pointee
    switch (Mirror(reflecting: a).children.first, Mirror(reflecting: b).children.first) {
    case (let a?, let b?):
      return a.label == b.label && a.label != nil
        && areEqualAny(a.value, b.value, depth: depth + 1)
    case (nil, nil):
      return !hasOwnText && String(describing: a) == String(describing: b)
    default:
      return false
    }
  }
}
