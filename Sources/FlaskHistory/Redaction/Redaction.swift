internal import FlaskEntities

/// A rule for secrets in traces, in addition to the mark `Redacted`.
///
/// ```swift
/// let trace = Trace(values: .all, redacting: [.keyPath(\Account.iban), .type(Token.self)])
/// ```
public struct Redaction: Sendable {
  enum Rule: Sendable {
    case type(ObjectIdentifier)
    case keyPath(SecretKeyPath)
  }

  let rule: Rule

  /// Redacts all values of a type, wherever they are nested.
  public static func type<Value>(_ type: Value.Type) -> Redaction {
    Redaction(rule: .type(ObjectIdentifier(type)))
  }

  /// Redacts the value at a key path in every value of the key path's root type, both in states of this type and in
  /// values nested in other states. The name of the key stays.
  ///
  /// A key path that goes beyond stored properties (through an optional, a subscript, a computed property) hides the
  /// property with which it begins. If it begins with no stored property, it hides all values of the type.
  public static func keyPath<Root, Value>(_ keyPath: any KeyPath<Root, Value> & Sendable) -> Redaction {
    Redaction(rule: .keyPath(SecretKeyPath(keyPath)))
  }
}

/// A key path to a secret, with a function that finds the key in the layout of a state.
package struct SecretKeyPath: Sendable {
  package let root: ObjectIdentifier
  /// Returns the index of the key in the layout of the root type; `nil` if the whole value is secret.
  package let find: @Sendable (StateLayout) -> Int?
  /// The first property that the key path names; `nil` if it names none.
  let firstName: String?
  /// The path through stored properties, as far as the description of the key path shows it.
  let path: String?

  package init<Root, Value>(_ keyPath: any KeyPath<Root, Value> & Sendable) {
    root = ObjectIdentifier(Root.self)
    find = { layout in layout.index(of: keyPath) ?? layout.firstKey(of: keyPath) }
    let prefix = "\\\(Root.self)."
    let text = String(describing: keyPath)
    let names = text.hasPrefix(prefix) && text != prefix + "self" ? String(text.dropFirst(prefix.count)) : ""
    let path = names.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
    self.path = path.isEmpty ? nil : path.hasSuffix(".") ? String(path.dropLast()) : String(path)
    firstName = path.split(separator: ".").first.map(String.init)
  }
}

/// A type that holds values of other types without changing them.
protocol WrappingType { static var wrappedTypes: [Any.Type] { get } }

extension WrappingType {
  /// The type of the keys of a dictionary; `nil` for other types.
  static var keyType: Any.Type? { wrappedTypes.count == 2 ? wrappedTypes.first : nil }
}

extension Optional: WrappingType { static var wrappedTypes: [Any.Type] { [Wrapped.self] } }

extension Array: WrappingType { static var wrappedTypes: [Any.Type] { [Element.self] } }

extension Set: WrappingType { static var wrappedTypes: [Any.Type] { [Element.self] } }

extension Entities: WrappingType { static var wrappedTypes: [Any.Type] { [Element.self] } }

extension Dictionary: WrappingType {
  static var wrappedTypes: [Any.Type] { [Key.self, Value.self] }
}
