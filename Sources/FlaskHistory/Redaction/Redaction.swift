internal import FlaskEntities
internal import FlaskPrimitives

/// Marks a type whose values are secret: no trace ever keeps one of them, at whatever depth of a state it lies.
///
/// ```swift
/// struct Password: Redacted { var text: String }
/// ```
/// The name of an action, an error or the owner of a reactor that is marked is kept back, too.
public protocol Redacted {}

/// What is kept out of traces, beside what is marked `Redacted`.
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

  /// What a key path leads to, in every value of the type that it begins with: in a state of that type and wherever one
  /// lies inside another state. The name of the key stays.
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
  /// Its path through stored properties, as far as its text tells.
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

/// Says of each type and of each key of a state whether it is secret. Remembers what it has found.
package final class RedactionRules: Sendable {
  package static let mark = "‹redacted›"

  /// What is known about the keys of a layout.
  package struct Keys: Sendable {
    package let isSecret: [Bool]
    /// Whether nothing lies below it that is a key itself.
    package let isLeaf: [Bool]
    package let paths: [String]
  }

  /// What is secret of the properties of a type.
  enum Secrets: Sendable {
    /// Those that are, of all that there are.
    case properties(Set<String>, of: Set<String>)
    case everything
  }

  private struct Known {
    var types: [ObjectIdentifier: Bool] = [:]
    var encodedTypes: [ObjectIdentifier: Bool] = [:]
    var layouts: [ObjectIdentifier: Keys] = [:]
    var properties: [ObjectIdentifier: Secrets?] = [:]
  }

  private let types: Set<ObjectIdentifier>
  private let keyPaths: [SecretKeyPath]
  private let known = Lock(Known())

  /// Whether what is encoded is to be read again: a text of the user's that begins with the mark has another one in
  /// front there, so that it is not taken for a secret.
  let doublesMarks: Bool

  package init(_ redactions: [Redaction], doublesMarks: Bool = false) {
    self.doublesMarks = doublesMarks
    types = Set(redactions.compactMap { if case .type(let type) = $0.rule { type } else { nil } })
    keyPaths = redactions.compactMap { if case .keyPath(let keyPath) = $0.rule { keyPath } else { nil } }
  }

  /// Whether the values of a type are secret.
  package func isSecret(_ type: Any.Type) -> Bool {
    let identifier = ObjectIdentifier(type)
    if let found = known.withLock({ $0.types[identifier] }) { return found }
    let isSecret = types.contains(identifier) || type is any Redacted.Type
    known.withLock { $0.types[identifier] = isSecret }
    return isSecret
  }

  /// Whether the encoded form of a type is secret: its values are, or the keys of a dictionary, which are the names of
  /// its members there.
  func isSecretEncoded(_ type: Any.Type) -> Bool {
    let identifier = ObjectIdentifier(type)
    if let found = known.withLock({ $0.encodedTypes[identifier] }) { return found }
    let keyType = (type as? any WrappingType.Type)?.keyType
    let isWhole = keyPaths.contains { $0.root == identifier && $0.firstName == nil }
    let isSecret = isWhole || isSecret(type) || keyType.map { self.isSecret($0) } ?? false
    known.withLock { $0.encodedTypes[identifier] = isSecret }
    return isSecret
  }

  /// Whether a property of a struct is secret by its name.
  func isSecret(_ property: String, of type: Any.Type) -> Bool {
    let root = ObjectIdentifier(type)
    return keyPaths.contains { $0.root == root && ($0.firstName == nil || $0.firstName == property) }
  }

  /// Whether a key path that is secret begins with a type.
  func hasKeyPath(from type: Any.Type) -> Bool {
    let root = ObjectIdentifier(type)
    return keyPaths.contains { $0.root == root }
  }

  /// What has been noted about the properties of a type.
  func knownSecrets(of type: Any.Type) -> Secrets?? {
    known.withLock { $0.properties[ObjectIdentifier(type)] }
  }

  func note(_ secrets: Secrets?, of type: Any.Type) {
    known.withLock { _ = $0.properties.updateValue(secrets, forKey: ObjectIdentifier(type)) }
  }

  /// The name of a type, for people.
  package func name(of type: Any.Type) -> String { isSecret(type) ? RedactionRules.mark : "\(type)" }

  /// What is known about the keys of a layout.
  package func keys(of layout: StateLayout) -> Keys {
    let identifier = ObjectIdentifier(layout)
    if let found = known.withLock({ $0.layouts[identifier] }) { return found }
    let keys = look(at: layout)
    known.withLock { $0.layouts[identifier] = keys }
    return keys
  }

  private func look(at layout: StateLayout) -> Keys {
    let all = 0..<layout.keyCount
    var isSecret = all.map { isSecretByType($0, in: layout) }
    var isLeaf = all.map { _ in true }
    let paths = all.map { layout.path(of: $0) }
    for key in all { if let parent = layout.parent(of: key) { isLeaf[parent] = false } }
    for secret in keyPaths {
      if secret.root == ObjectIdentifier(layout.stateType) {
        if let key = secret.find(layout) { isSecret[key] = true } else { isSecret = all.map { _ in true } }
      }
      for key in all where layout.stored(key).map({ ObjectIdentifier($0.type) }) == secret.root {
        let inner = secret.path.flatMap { path in paths.firstIndex(of: "\(paths[key]).\(path)") }
        isSecret[inner ?? key] = true
      }
    }
    // Parents come before their children.
    for key in all { if let parent = layout.parent(of: key), isSecret[parent] { isSecret[key] = true } }
    return Keys(isSecret: isSecret, isLeaf: isLeaf, paths: paths)
  }

  private func isSecretByType(_ key: Int, in layout: StateLayout) -> Bool {
    if self.isSecret(layout.stateType) { return true }
    // What can't be read as a value of its type is not read at all.
    guard let type = layout.stored(key)?.type else { return false }
    return self.isSecret(type)
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
