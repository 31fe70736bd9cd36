/// Conversion between identities and their text, which is a component of keys.
///
/// The text of an identity is its description, or the description of its raw value.
enum IdentityText {
  static func text<ID>(of id: ID) -> String {
    if let id = id as? String { return id }
    if let id = id as? any RawRepresentable { return "\(id.rawValue)" }
    return String(describing: id)
  }

  /// The text as a component of a dotted path: see `NestedKey`.
  static func name<ID>(of id: ID) -> String { NestedKey.written(text(of: id)) }

  /// Returns the identity with a given text, if the text can be converted into it; `nil` if only a search through all
  /// elements can find it.
  static func identity<ID>(_ text: String, as type: ID.Type) -> ID? {
    let found: Any?
    if let type = type as? any RawRepresentable.Type {
      found = rawRepresentable(text, as: type)
    } else {
      found = value(text, as: type)
    }
    // Several texts may be read as one identity, such as "7" and "07"; only the identity's own text is accepted.
    guard let id = found as? ID, self.text(of: id) == text else { return nil }
    return id
  }

  /// Whether the text of every identity of the type is the text of an integer.
  static func isNumber(_ type: Any.Type) -> Bool {
    func raw<ID: RawRepresentable>(_ type: ID.Type) -> Any.Type { ID.RawValue.self }
    return ((type as? any RawRepresentable.Type).map { raw($0) } ?? type) is any BinaryInteger.Type
  }

  private static func rawRepresentable<ID: RawRepresentable>(_ text: String, as type: ID.Type) -> Any? {
    (value(text, as: ID.RawValue.self) as? ID.RawValue).flatMap { ID(rawValue: $0) }
  }

  private static func value(_ text: String, as type: Any.Type) -> Any? {
    (type as? any LosslessStringConvertible.Type)?.init(text)
  }
}
