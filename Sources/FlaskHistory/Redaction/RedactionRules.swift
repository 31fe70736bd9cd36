internal import FlaskPrimitives

/// Determines for each type and each key of a state whether it is secret. Caches the results.
package final class RedactionRules: Sendable {
  package static let mark = SafeText.mark

  /// For each key of a layout its path, and whether its value is secret.
  package struct Keys: Sendable {
    package let isSecret: [Bool]
    /// Whether the key has no nested keys.
    package let isLeaf: [Bool]
    package let paths: [String]
  }

  /// The secret properties of a type.
  enum Secrets: Sendable {
    /// The secret properties, and all properties.
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

  /// Whether the encoded value will be decoded again. If so, a client's string that begins with `mark` gets a second
  /// mark in front, so that decoding does not take it for a secret.
  let doublesMarks: Bool

  /// Rules by which no value is secret, not even a `Redacted` one. For archives: a value that was hidden could not be
  /// restored.
  package static let revealing = RedactionRules([], revealsAll: true)
  private let revealsAll: Bool

  package init(_ redactions: [Redaction], doublesMarks: Bool = false, revealsAll: Bool = false) {
    self.doublesMarks = doublesMarks
    self.revealsAll = revealsAll
    types = Set(redactions.compactMap { if case .type(let type) = $0.rule { type } else { nil } })
    keyPaths = redactions.compactMap { if case .keyPath(let keyPath) = $0.rule { keyPath } else { nil } }
  }

  /// Whether the values of a type are secret.
  package func isSecret(_ type: Any.Type) -> Bool {
    let identifier = ObjectIdentifier(type)
    if let found = known.withLock({ $0.types[identifier] }) { return found }
    let isSecret = !revealsAll && (types.contains(identifier) || type is any Redacted.Type)
    known.withLock { $0.types[identifier] = isSecret }
    return isSecret
  }

  /// Whether the encoded form of a type is secret: its values are secret, or it is a dictionary with secret keys, which
  /// become the names of the members.
  func isSecretEncoded(_ type: Any.Type) -> Bool {
    let identifier = ObjectIdentifier(type)
    if let found = known.withLock({ $0.encodedTypes[identifier] }) { return found }
    let keyType = (type as? any WrappingType.Type)?.keyType
    let isWhole = keyPaths.contains { $0.root == identifier && $0.firstName == nil }
    let isSecret = isWhole || isSecret(type) || keyType.map { self.isSecret($0) } ?? false
    known.withLock { $0.encodedTypes[identifier] = isSecret }
    return isSecret
  }

  /// Whether a secret key path hides a property of a type.
  func isSecret(_ property: String, of type: Any.Type) -> Bool {
    let root = ObjectIdentifier(type)
    return keyPaths.contains { $0.root == root && ($0.firstName == nil || $0.firstName == property) }
  }

  /// Whether a secret key path begins with a type.
  func hasKeyPath(from type: Any.Type) -> Bool {
    let root = ObjectIdentifier(type)
    return keyPaths.contains { $0.root == root }
  }

  /// The cached secret properties of a type; `nil` if the cache has no entry for the type.
  func knownSecrets(of type: Any.Type) -> Secrets?? {
    known.withLock { $0.properties[ObjectIdentifier(type)] }
  }

  func setSecrets(_ secrets: Secrets?, of type: Any.Type) {
    known.withLock { _ = $0.properties.updateValue(secrets, forKey: ObjectIdentifier(type)) }
  }

  /// The name of a type, for people.
  package func name(of type: Any.Type) -> String { isSecret(type) ? RedactionRules.mark : "\(type)" }

  /// Returns for each key of a layout its path, and whether its value is secret.
  package func keys(of layout: StateLayout) -> Keys {
    let identifier = ObjectIdentifier(layout)
    if let found = known.withLock({ $0.layouts[identifier] }) { return found }
    let keys = makeKeys(of: layout)
    known.withLock { $0.layouts[identifier] = keys }
    return keys
  }

  private func makeKeys(of layout: StateLayout) -> Keys {
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
    // `all` has parents before their children.
    for key in all { if let parent = layout.parent(of: key), isSecret[parent] { isSecret[key] = true } }
    return Keys(isSecret: isSecret, isLeaf: isLeaf, paths: paths)
  }

  private func isSecretByType(_ key: Int, in layout: StateLayout) -> Bool {
    if self.isSecret(layout.stateType) { return true }
    // A key whose value cannot be read from the state's memory counts as not secret, since its value is never read.
    guard let type = layout.stored(key)?.type else { return false }
    return self.isSecret(type)
  }
}
