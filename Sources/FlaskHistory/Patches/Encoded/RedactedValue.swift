internal import FlaskCoding

/// The mark that is encoded in place of a secret.
struct RedactedMark: Encodable {
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(RedactionRules.mark)
  }
}

/// A wrapper that encodes a value without its secrets.
package struct RedactedValue: Encodable {
  let value: EncodedShape.Value
  let rules: RedactionRules

  init(_ value: EncodedShape.Value, _ rules: RedactionRules) {
    self.value = value
    self.rules = rules
  }

  package init(_ value: any Encodable, _ rules: RedactionRules) { self.init(.value(value), rules) }

  package func encode(to encoder: any Encoder) throws {
    switch value {
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .value(let value): try encode(value, to: encoder)
    case .shape(let shape): try encode(shape, to: encoder)
    }
  }

  private func encode<Value: Encodable>(_ value: Value, to encoder: any Encoder) throws {
    if rules.hides(value) {
      try RedactedMark().encode(to: encoder)
    } else if rules.doublesMarks, let text = value as? String, text.hasPrefix(RedactionRules.mark) {
      try RedactedValue(.value(RedactionRules.mark + text), RedactionRules([])).encode(to: encoder)
    } else if EncodedLeaf.isLeaf(value) || value is RedactedMark {
      // The value is encoded through a container, since only there an encoder applies its special encoding of some
      // types, such as `Date`.
      try EncodingLevel.check(value, at: encoder.codingPath)
      var container = encoder.singleValueContainer()
      try container.encode(value)
    } else {
      let shape = try EncodedShape(of: value)
      try encode(rules.redacted(shape, of: value) ?? shape, to: encoder)
    }
  }

  private func encode(_ shape: EncodedShape, to encoder: any Encoder) throws {
    switch shape.form {
    case .single:
      if let value = shape.single { try RedactedValue(value, rules).encode(to: encoder) }
    case .unkeyed:
      var container = encoder.unkeyedContainer()
      for value in shape.values { try container.encode(RedactedValue(value, rules)) }
    case .keyed, .none:
      var container = encoder.container(keyedBy: PlainKey.self)
      for (name, value) in zip(shape.names, shape.values) {
        try container.encode(RedactedValue(value, rules), forKey: PlainKey(stringValue: name))
      }
    }
  }
}

extension RedactionRules {
  /// Whether the whole value is secret. This is also the case if a secret key path begins with the type, which must be
  /// encoded as one value or as a collection.
  func hides<Value: Encodable>(_ value: Value) -> Bool {
    isSecretEncoded(Value.self) || Value.self is AnyClass && isSecret(type(of: value as Any))
      || hasKeyPath(from: Value.self)
        && (EncodedLeaf.isLeaf(value) || Value.self is any EncodedByContent.Type)
  }

  /// Returns the shape with marks in place of its secrets; `nil` if it contains no secrets.
  ///
  /// Secret properties are found by their names in the encoded form. This is impossible if a value encodes other names
  /// than those of its properties, or if it fills the container of a nested property itself. Then the whole value is
  /// secret.
  func redacted<Value: Encodable>(_ shape: EncodedShape, of value: Value) -> EncodedShape? {
    guard let secrets = secrets(of: value) else { return nil }
    let mark = EncodedShape.Value.value(RedactedMark())
    let whole = EncodedShape(.single, [], [mark])
    guard case .properties(let secret, let all) = secrets, shape.form == .keyed else { return whole }
    if !all.isSuperset(of: shape.names) { return whole }
    var values = shape.values
    for (index, name) in shape.names.enumerated() {
      if secret.contains(name) {
        values[index] = mark
      } else if case .shape = values[index] {
        // The value has filled the container of this property itself, so the location of the secret is unknown.
        return whole
      }
    }
    return EncodedShape(.keyed, shape.names, values)
  }

  /// The secret properties of a value, found by their types and names; `nil` if it has no secrets.
  private func secrets<Value>(of value: Value) -> Secrets? {
    if let known = knownSecrets(of: Value.self) { return known }
    let secrets = findSecrets(of: Value.self)
    setSecrets(secrets, of: Value.self)
    return secrets
  }

  private func findSecrets<Value>(of type: Value.Type) -> Secrets? {
    let isNamed = hasKeyPath(from: Value.self)
    let layout = StateLayout.of(Value.self)
    guard layout.hasProperties else { return isNamed ? .everything : nil }
    var all: Set<String> = []
    var secret: Set<String> = []
    for key in 0..<layout.keyCount where layout.parent(of: key) == nil {
      let name = layout.name(of: key)
      all.insert(name)
      if isSecret(name, of: Value.self) || layout.stored(key).map({ isSecretInside($0.type) }) ?? false {
        secret.insert(name)
      }
    }
    if isNamed && secret.isEmpty { return .everything }
    return secret.isEmpty ? nil : .properties(secret, of: all)
  }

  /// Whether a type is secret, or an optional or a collection of a secret type.
  private func isSecretInside(_ type: Any.Type) -> Bool {
    if isSecret(type) { return true }
    guard let type = type as? any WrappingType.Type else { return false }
    return type.wrappedTypes.contains { isSecretInside($0) }
  }
}
