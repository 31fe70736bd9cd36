/// Distinguishes the storage of a property with a wrapper from a property that its author has hidden by an underscore.
///
/// `@Clamped var level` is stored as `_level`, and no metadata says that this field is the storage of a wrapper. A
/// field is hidden if it is a constant, if its name begins with two underscores, or if a sibling has the name without
/// underscore. A field is also hidden if its type is a generic parameter of the struct, or is not a struct, enum or
/// class of client code. Otherwise the field counts as the storage of a wrapper: in doubt a value is compared.
///
/// The coding keys of the struct would give certainty. But reading them means running its `init(from:)`, which may
/// trap, or may be isolated to an actor.
enum WrapperStorage {
  /// The name of the wrapped property that is stored in a field; `nil` if the field is hidden, or has no wrapper.
  static func wrappedName(of field: FieldMetadata, type: Any.Type, among all: [FieldMetadata]) -> String? {
    guard field.name.hasPrefix("_"), field.isVariable, !field.isBareParameter else { return nil }
    let name = String(field.name.dropFirst())
    if name.isEmpty || StructFields.isHidden(name) || all.contains(where: { $0.name == name }) { return nil }
    switch TypeKind(of: type) {
    case .struct, .enum, .class: return TypeOrigin.isSystem(type) ? nil : name
    default: return nil
    }
  }
}
