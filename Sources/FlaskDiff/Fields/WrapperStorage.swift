/// Tells the storage of a property with a wrapper from a property that its author has hidden by an underscore.
///
/// `@Clamped var level` is stored as `_level`, and no metadata says that a wrapper does so. The first of these that is
/// known decides, and all of them are properties of the types alone:
///
/// 1. Hidden: a constant; what has another underscore, or a sibling of the name without it; what has a type that is no
///    struct, enum or class of the user's, or is a parameter of the generic struct.
/// 2. A wrapper: its type stores a property `wrappedValue`.
/// 3. What the coding keys of the struct have, if it is `Decodable`: `level` of a wrapper, `_level` of what is hidden.
/// 4. A wrapper: in doubt a value is compared.
enum WrapperStorage {
  /// The name of the wrapped property that is stored in a field; `nil` if the field is hidden, or a plain one.
  static func wrappedName(
    of field: FieldMetadata,
    type: Any.Type,
    among all: [FieldMetadata],
    in holder: Any.Type
  ) -> String? {
    guard field.name.hasPrefix("_"), field.isVariable, !field.isBareParameter else { return nil }
    let name = String(field.name.dropFirst())
    if name.isEmpty || StructFields.isHidden(name) || all.contains(where: { $0.name == name }) { return nil }
    switch TypeKind(of: type) {
    case .struct, .enum, .class: if TypeOrigin.isSystem(type) { return nil }
    default: return nil
    }
    if FieldMetadata.fields(of: type)?.contains(where: { $0.name == "wrappedValue" }) ?? false { return name }
    guard let hasKey = CodingKeyProbe.keys(of: holder), hasKey(name) != hasKey(field.name) else {
      return name
    }
    return hasKey(name) ? name : nil
  }
}

/// Asks a `Decodable` type which coding keys it has: begins to decode a value, and ends when the type asks for a
/// container.
private struct CodingKeyProbe: Decoder {
  private final class Answer {
    var hasKey: ((String) -> Bool)?
  }
  private struct Asked: Error {}

  private let answer: Answer
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Tells whether the type has a coding key of a name; `nil` if it is not known.
  static func keys(of type: Any.Type) -> ((String) -> Bool)? {
    guard let type = type as? any Decodable.Type else { return nil }
    let answer = Answer()
    _ = try? type.init(from: CodingKeyProbe(answer: answer))
    return answer.hasKey
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    answer.hasKey = { Key(stringValue: $0) != nil }
    throw Asked()
  }
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Asked() }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { throw Asked() }
}
