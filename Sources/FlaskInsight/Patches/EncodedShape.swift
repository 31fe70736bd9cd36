/// What a value passes to an encoder, one level deep: what lies below is kept as values, and not encoded.
///
/// This is how a patch learns the form of the encoded state, whatever a type's `encode(to:)` does, without encoding
/// what has not changed.
final class EncodedShape {
  /// What is passed at one place.
  enum Value {
    case null
    case value(any Encodable)
    case shape(EncodedShape)
  }

  /// What kind of container was asked for; the first one counts.
  enum Form { case none, keyed, unkeyed, single }

  private(set) var form = Form.none
  /// The names of a keyed container, in the order of its values.
  private(set) var names: [String] = []
  private(set) var values: [Value] = []
  /// The places of the names, once there are many.
  private var places: [String: Int] = [:]

  init() {}

  /// The shape of a value.
  init(of value: some Encodable) throws { try value.encode(to: ShapeEncoder(self, [])) }

  /// The value itself, if that is what is encoded in place of it.
  var single: Value? { form == .single ? values.last : nil }

  /// Whether a member is a container that the value has filled by itself, unless it has one of these names.
  func isNested(but others: Set<String>) -> Bool {
    zip(names, values).contains { name, value in
      if case .shape = value { !others.contains(name) } else { false }
    }
  }

  /// A shape in which some members are something else.
  func exchanging(_ names: Set<String>, for value: Value) -> EncodedShape {
    let new = EncodedShape()
    new.form = form
    new.names = self.names
    new.values = zip(self.names, values).map { names.contains($0) ? value : $1 }
    return new
  }

  /// A value in place of whatever was passed.
  static func single(_ value: Value) -> EncodedShape {
    let new = EncodedShape()
    new.form = .single
    new.values = [value]
    return new
  }

  fileprivate func begin(_ form: Form) { if self.form == .none { self.form = form } }

  fileprivate func put(_ value: Value, _ name: String) {
    if let index = place(of: name) {
      values[index] = value
    } else {
      if !places.isEmpty { places[name] = names.count }
      names.append(name)
      values.append(value)
    }
  }

  /// Few names are looked through, many are hashed.
  private func place(of name: String) -> Int? {
    if names.count < 16 { return names.firstIndex(of: name) }
    if places.isEmpty { places = Dictionary(uniqueKeysWithValues: zip(names, names.indices)) }
    return places[name]
  }

  fileprivate func append(_ value: Value) { values.append(value) }
}

private struct ShapeEncoder: Encoder {
  let shape: EncodedShape
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(_ shape: EncodedShape, _ codingPath: [any CodingKey]) {
    self.shape = shape
    self.codingPath = codingPath
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    shape.begin(.keyed)
    return KeyedEncodingContainer(KeyedShape(shape: shape, codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    shape.begin(.unkeyed)
    return UnkeyedShape(shape: shape, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    shape.begin(.single)
    return SingleShape(shape: shape, codingPath: codingPath)
  }
}

private struct KeyedShape<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let shape: EncodedShape
  let codingPath: [any CodingKey]

  mutating func encodeNil(forKey key: Key) { shape.put(.null, key.stringValue) }

  mutating func encode<T: Encodable>(_ value: T, forKey key: Key) {
    shape.put(.value(value), key.stringValue)
  }

  private func nested(_ key: any CodingKey) -> ShapeEncoder {
    let below = EncodedShape()
    shape.put(.shape(below), key.stringValue)
    return ShapeEncoder(below, codingPath + [key])
  }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key)
    -> KeyedEncodingContainer<Nested>
  { nested(key).container(keyedBy: type) }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    nested(key).unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder { nested(PlainKey.super) }

  mutating func superEncoder(forKey key: Key) -> any Encoder { nested(key) }
}

private struct UnkeyedShape: UnkeyedEncodingContainer {
  let shape: EncodedShape
  let codingPath: [any CodingKey]
  var count: Int { shape.values.count }

  mutating func encodeNil() { shape.append(.null) }

  mutating func encode<T: Encodable>(_ value: T) { shape.append(.value(value)) }

  private func nested() -> ShapeEncoder {
    let below = EncodedShape()
    shape.append(.shape(below))
    return ShapeEncoder(below, codingPath + [PlainKey(intValue: count - 1)])
  }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type)
    -> KeyedEncodingContainer<Nested>
  { nested().container(keyedBy: type) }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }

  mutating func superEncoder() -> any Encoder { nested() }
}

private struct SingleShape: SingleValueEncodingContainer {
  let shape: EncodedShape
  let codingPath: [any CodingKey]

  mutating func encodeNil() { shape.append(.null) }

  mutating func encode<T: Encodable>(_ value: T) { shape.append(.value(value)) }
}

/// A key by its name.
struct PlainKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = "\(intValue)"
    self.intValue = intValue
  }

  static var `super`: PlainKey { PlainKey(stringValue: "super") }
}

extension EncodedShape.Value: Encodable {
  /// Encodes the value as it would have been encoded in its place.
  func encode(to encoder: any Encoder) throws {
    switch self {
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .value(let value):
      // Through a container, since an encoder has its own way with some types.
      var container = encoder.singleValueContainer()
      try container.encode(value)
    case .shape(let shape): try shape.encode(to: encoder)
    }
  }
}

extension EncodedShape: Encodable {
  /// Encodes what was passed as it was.
  func encode(to encoder: any Encoder) throws {
    switch form {
    case .single: try values.last?.encode(to: encoder)
    case .unkeyed:
      var container = encoder.unkeyedContainer()
      for value in values { try container.encode(value) }
    case .keyed, .none:
      var container = encoder.container(keyedBy: PlainKey.self)
      for (name, value) in zip(names, values) {
        try container.encode(value, forKey: PlainKey(stringValue: name))
      }
    }
  }
}
