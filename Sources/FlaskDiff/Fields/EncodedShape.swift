/// The values that a value passes to an encoder, one level deep: nested values are stored as they are, and not encoded.
///
/// So it is known which containers and names the type's `encode(to:)` uses, although its contents are not encoded.
package final class EncodedShape {
  /// An encoded value.
  package enum Value {
    case null
    case value(any Encodable)
    case shape(EncodedShape)
  }

  /// The kind of the container that the encoded value has requested from the encoder. If it has requested several, the
  /// first one counts.
  package enum Form { case none, keyed, unkeyed, single }

  package private(set) var form = Form.none
  /// The names under which the value has encoded its values in a keyed container, in the order of `values`.
  package private(set) var names: [String] = []
  package private(set) var values: [Value] = []
  /// The index of each name in `names`.
  private var places: [String: Int] = [:]
  /// The error to throw at the next value; `nil` if values are accepted.
  private let refusal: (any Error)?

  private init(refusing refusal: (any Error)?) { self.refusal = refusal }

  /// A shape that no value has passed.
  package init(_ form: Form, _ names: [String], _ values: [Value]) {
    self.form = form
    self.names = names
    self.values = values
    refusal = nil
  }

  /// The shape of a value.
  package init(of value: some Encodable) throws {
    refusal = nil
    try value.encode(to: ShapeEncoder(shape: self, codingPath: []))
  }

  /// An encoder that throws an error when the first value is passed to it.
  package static func encoder(refusing error: any Error) -> any Encoder {
    ShapeEncoder(shape: EncodedShape(refusing: error), codingPath: [])
  }

  /// The value in a single-value container; `nil` for all other kinds of containers.
  package var single: Value? { form == .single ? values.last : nil }

  fileprivate func begin(_ form: Form) { if self.form == .none { self.form = form } }

  // Not inlined, since many `encode` methods of the containers call this function.
  @inline(never)
  fileprivate func put(_ value: Value, _ name: String) throws {
    if let refusal { throw refusal }
    if let index = places[name] {
      values[index] = value
    } else {
      places[name] = names.count
      names.append(name)
      values.append(value)
    }
  }

  @inline(never)
  fileprivate func append(_ value: Value) throws {
    if let refusal { throw refusal }
    values.append(value)
  }

  /// Returns a new, empty shape for a container that is nested in this container.
  fileprivate func below() -> EncodedShape { EncodedShape(refusing: refusal) }
}

private struct ShapeEncoder: Encoder {
  let shape: EncodedShape
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

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

  mutating func encodeNil(forKey key: Key) throws { try shape.put(.null, key.stringValue) }

  mutating func encode(_ value: some Encodable, forKey key: Key) throws {
    try shape.put(.value(value), key.stringValue)
  }

  private func nested(_ key: any CodingKey) -> ShapeEncoder {
    let below = shape.below()
    try? shape.put(.shape(below), key.stringValue)
    return ShapeEncoder(shape: below, codingPath: codingPath + [key])
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

  mutating func encodeNil() throws { try shape.append(.null) }

  mutating func encode(_ value: some Encodable) throws { try shape.append(.value(value)) }

  private func nested() -> ShapeEncoder {
    let below = shape.below()
    try? shape.append(.shape(below))
    return ShapeEncoder(shape: below, codingPath: codingPath + [PlainKey(intValue: count - 1)])
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

  mutating func encodeNil() throws { try shape.append(.null) }

  mutating func encode(_ value: some Encodable) throws { try shape.append(.value(value)) }
}

/// A coding key with a given name.
package struct PlainKey: CodingKey {
  package let stringValue: String
  package let intValue: Int?

  package init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  package init(intValue: Int) {
    stringValue = "\(intValue)"
    self.intValue = intValue
  }

  static var `super`: PlainKey { PlainKey(stringValue: "super") }
}
