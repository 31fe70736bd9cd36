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

  /// The values of a type, wherever they are.
  public static func type<Value>(_ type: Value.Type) -> Redaction {
    Redaction(rule: .type(ObjectIdentifier(type)))
  }

  /// Redacts the value at a key path, in every value of the type that it begins with: in a state of that type and
  /// wherever one is nested in another state. The name of the key stays.
  ///
  /// A key path that goes beyond stored properties (through an optional, a subscript, a computed property) hides the
  /// property that it begins with; one that begins with none hides all values of the type.
  public static func keyPath<Root, Value>(_ keyPath: any KeyPath<Root, Value> & Sendable) -> Redaction {
    Redaction(rule: .keyPath(SecretKeyPath(keyPath)))
  }
}

/// A key path in a form that finds the key of a state.
package struct SecretKeyPath: Sendable {
  package let root: ObjectIdentifier
  /// The key of a state of that type; `nil` for all of it.
  package let find: @Sendable (StateLayout) -> Int?
  /// The first property that it names; `nil` if it names none.
  let firstName: String?
  /// Its path through stored properties, as far as its description shows it.
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

/// The types that hold values of others as they are.
protocol WrappingType { static var wrappedTypes: [Any.Type] { get } }

extension WrappingType {
  /// That of a dictionary.
  static var keyType: Any.Type? { wrappedTypes.count == 2 ? wrappedTypes.first : nil }
}

extension Optional: WrappingType { static var wrappedTypes: [Any.Type] { [Wrapped.self] } }

extension Array: WrappingType { static var wrappedTypes: [Any.Type] { [Element.self] } }

extension Set: WrappingType { static var wrappedTypes: [Any.Type] { [Element.self] } }

extension Entities: WrappingType { static var wrappedTypes: [Any.Type] { [Element.self] } }

extension Dictionary: WrappingType {
  static var wrappedTypes: [Any.Type] { [Key.self, Value.self] }
}
