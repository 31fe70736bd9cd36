/// The case of an enum value, for comparison: its name, and the type of its payload with the labels.
package struct EnumCaseIdentity: Hashable, Sendable {
  let name: String
  let payload: ObjectIdentifier
}

/// Reads the payloads of an enum's cases by reflection.
package enum EnumPayload {
  /// Returns `true` if the payloads of a case can be read: the enum has no mirror of its own, and neither the enum nor
  /// the payload has a part that reflection reads wrongly (a metatype, or a function outside of a struct or an array).
  ///
  /// Complexity: linear in the cases.
  package static func canRead<Root, Payload>(_ payload: Payload.Type, of root: Root.Type) -> Bool {
    guard TypeKind(of: root) == .enum, !(root is any CustomReflectable.Type),
      FieldMetadata.canMirrorPayloads(of: root), case .same = ConcreteForm(of: payload)
    else { return false }
    return true
  }

  /// The payload of an enum value, if it has the given type, and the case.
  ///
  /// A payload with labels is of the type of its elements: `case edit(id: Int)` has an `Int`, and
  /// `case move(from: Int, to: Int)` has an `(Int, Int)`.
  package static func read<Root, Payload>(_ type: Payload.Type, of root: Root) -> (
    case: EnumCaseIdentity, payload: Payload
  )? {
    guard let child = Mirror(reflecting: root).children.first, let name = child.label else { return nil }
    func opened<Value>(_ value: Value) -> (case: EnumCaseIdentity, payload: Payload)? {
      payload(of: value, as: type).map {
        (EnumCaseIdentity(name: name, payload: ObjectIdentifier(Value.self)), $0)
      }
    }
    return _openExistential(child.value, do: opened)
  }

  /// The value, without labels, if its type is `type`. A dynamic cast alone would convert values of other types.
  private static func payload<Value, Payload>(of value: Value, as type: Payload.Type) -> Payload? {
    if Value.self == type { return value as? Payload }
    guard TypeKind(of: Value.self) == .tuple else { return nil }
    let elements = TypeKind.elements(ofTuple: Value.self)
    if elements.count == 1 {
      guard elements[0].type == type else { return nil }
      // A tuple with one element has the memory of its element.
      return withUnsafePointer(to: value) {
        UnsafeRawPointer($0).assumingMemoryBound(to: Payload.self).pointee
      }
    }
    guard TypeKind(of: type) == .tuple else { return nil }
    let others = TypeKind.elements(ofTuple: type)
    guard elements.count == others.count, zip(elements, others).allSatisfy({ $0.type == $1.type }) else {
      return nil
    }
    return value as? Payload
  }
}
