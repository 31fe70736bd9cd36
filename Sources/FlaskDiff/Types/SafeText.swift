/// The texts of values for people, in faults and descriptions, without secrets.
///
/// A value that is `Redacted`, or has such a value at any depth, is not written; all others are, as they describe
/// themselves. What is secret by the rules of one recorder or inspector alone is not known here.
package enum SafeText {
  package static let mark = "‹redacted›"
  /// How deep values are searched for secrets. A deeper one is not written.
  private static let depthLimit = 16

  package static func of(_ value: Any) -> String {
    if value is any Redacted { return mark }
    return hasSecret(value, depth: 0) ? "\(type(of: value))(\(mark))" : "\(value)"
  }

  private static func hasSecret(_ value: Any, depth: Int) -> Bool {
    if depth > depthLimit || value is any Redacted { return true }
    if !canHide(type(of: value)) { return false }
    if type(of: value) == AnyHashable.self, let hashable = value as? AnyHashable {
      return hasSecret(hashable.base, depth: depth + 1)
    }
    if let optional = value as? any AnyOptional {
      return optional.content.map { hasSecret($0, depth: depth + 1) } ?? false
    }
    if let collection = value as? any Collection, TypeKind(of: type(of: value)) != .class,
      has(collection, depth)
    {
      return true
    }
    return withOpened(value) { pointer, record in hasSecret(pointer, record, depth) }
  }

  private static func has<Elements: Collection>(_ collection: Elements, _ depth: Int) -> Bool {
    canHide(Elements.Element.self) && collection.contains { hasSecret($0, depth: depth + 1) }
  }

  /// Whether values of a type may have secrets. The elements of a range may be without end, those of a buffer may not
  /// exist any more, and a number has none.
  private static func canHide(_ type: Any.Type) -> Bool {
    if type is any Redacted.Type { return true }
    if type is any BinaryInteger.Type || type is any BinaryFloatingPoint.Type
      || type is any StringProtocol.Type
    {
      return false
    }
    if type is any RangeExpression.Type || type is any _Pointer.Type { return false }
    let name = _typeName(type, qualified: true)
    return !["Swift.Bool", "Swift.Character", "Swift.Unicode.Scalar"].contains(name)
      && !name.hasPrefix("Swift.Unsafe") && !name.hasPrefix("Swift.Lazy")
      && !name.hasPrefix("Swift.Repeated<")
  }

  private static func hasSecret(_ pointer: UnsafeRawPointer, _ record: TypeRecord, _ depth: Int) -> Bool {
    switch record.kind {
    case .struct:
      return record.fields.fields.contains { field in
        field.record.type is any Redacted.Type
          || field.record.value(at: pointer + field.offset).map { hasSecret($0, depth: depth + 1) } ?? false
      }
    case .enum:
      // In doubt it has one.
      guard FieldMetadata.canMirrorPayloads(of: record.type) else {
        return !FieldMetadata.payloads(of: record.type).isEmpty
      }
      guard let value = record.value(at: pointer) else { return false }
      return Mirror(reflecting: value).children.contains { hasSecret($0.value, depth: depth + 1) }
    case .tuple:
      guard let value = record.value(at: pointer) else { return false }
      return Mirror(reflecting: value).children.contains { hasSecret($0.value, depth: depth + 1) }
    default: return false
    }
  }
}
