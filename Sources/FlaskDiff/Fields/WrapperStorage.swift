/// Finds the name of a property with a wrapper from the name of its storage.
///
/// `@Clamped var level` is stored as `_level`, and no metadata says that this field is the storage of a wrapper. A
/// field is taken for one if it is a variable with one underscore and a type of client code, and no sibling has the
/// name without the underscore. It is compared under the name of the property then, also in a type that hides other
/// names with underscores: in doubt a value is compared.
///
/// The coding keys of the struct would give certainty. But reading them means running its `init(from:)`, which may
/// trap, or may be isolated to an actor.
enum WrapperStorage {
  /// The name of the wrapped property that is stored in a field; `nil` if the field is not taken for such storage.
  static func wrappedName(of field: FieldMetadata, type: Any.Type, among all: [FieldMetadata]) -> String? {
    guard field.name.hasPrefix("_"), field.isVariable, !field.isBareParameter else { return nil }
    let name = String(field.name.dropFirst())
    if name.isEmpty || StoredField.isUnderscored(name)
      || all.contains(where: { StructFields.nameWithoutLazyStorage($0.name) == name })
    {
      return nil
    }
    switch TypeKind(of: type) {
    case .struct, .enum, .class: return TypeOrigin.isSystem(type) ? nil : name
    default: return nil
    }
  }
}
