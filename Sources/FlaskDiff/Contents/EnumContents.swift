/// The comparison of enums, by case and payload. If this is impossible, two values count as different. The nested key
/// is the payload of the present case, under the name of the case.
final class EnumContents<Value>: Contents, @unchecked Sendable {
  /// Whether `Mirror` can show the payloads of the cases.
  private let canBeReflected: Bool
  private let hasOwnText: Bool
  /// The cases with a payload, by name. The table is empty if `Mirror` cannot show payloads.
  private let cases: [String: Any.Type?]

  init(record: TypeRecord) {
    canBeReflected = !record.isCustomReflectable && FieldMetadata.canMirrorPayloads(of: Value.self)
    hasOwnText =
      Value.self is any CustomStringConvertible.Type || Value.self is any CustomDebugStringConvertible.Type
      || Value.self is any TextOutputStreamable.Type
    cases = canBeReflected ? FieldMetadata.payloads(of: Value.self, areRead: true) : [:]
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

  // MARK: What lies below

  override var isListed: Bool { false }

  override func canHold(_ path: Substring) -> Bool {
    let name = NestedKey.split(path).name
    guard let payload = cases[String(name)] else { return false }
    // If the payload's type is unknown, a path may exist in some values, so the result is `true`.
    guard let payload else { return true }
    return TypeRecord.of(anyType: payload).nested.canHold(path, after: name)
  }

  override func names(in pointer: UnsafeRawPointer) -> [String] {
    payload(in: pointer).map { [$0.name] } ?? []
  }

  override func withChild(
    _ name: String,
    in pointer: UnsafeRawPointer,
    _ body: (UnsafeRawPointer, TypeRecord) -> Void
  ) -> Bool {
    guard let payload = payload(in: pointer), payload.name == name else { return false }
    withOpened(payload.value, body)
    return true
  }

  private func payload(in pointer: UnsafeRawPointer) -> (name: String, value: Any)? {
    if cases.isEmpty { return nil }
    let child = Mirror(reflecting: pointer.assumingMemoryBound(to: Value.self).pointee).children.first
    guard let child, let name = child.label, cases[name] != nil else { return nil }
    return (name, child.value)
  }
}
