/// The names under which a value encodes its properties. Only the names are taken: no property is encoded.
package enum EncodedKeys {
  /// The names, in no order; none if the value is not encoded by keys, or throws.
  package static func of(_ value: some Encodable) -> [String] {
    let names = Names()
    try? value.encode(to: KeyEncoder(names: names, depth: 0))
    return names.all
  }

  /// What the encoder and its containers write to. Used by one thread, during the call.
  fileprivate final class Names {
    var all: [String] = []
  }
}

/// An encoder that notes down the keys of the outermost container.
private struct KeyEncoder: Encoder {
  let names: EncodedKeys.Names
  let depth: Int
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  var isOutermost: Bool { depth == 0 }
  var inner: KeyEncoder { KeyEncoder(names: names, depth: depth + 1) }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(KeyedNames<Key>(encoder: self))
  }
  func unkeyedContainer() -> any UnkeyedEncodingContainer { Ignored(encoder: inner) }
  func singleValueContainer() -> any SingleValueEncodingContainer { Ignored(encoder: self) }
}

private struct KeyedNames<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: KeyEncoder
  var codingPath: [any CodingKey] { [] }

  private func note(_ key: Key) { if encoder.isOutermost { encoder.names.all.append(key.stringValue) } }

  mutating func encodeNil(forKey key: Key) { note(key) }
  mutating func encode(_ value: some Encodable, forKey key: Key) { note(key) }
  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type,
    forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    note(key)
    return encoder.inner.container(keyedBy: type)
  }
  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    note(key)
    return Ignored(encoder: encoder.inner)
  }
  mutating func superEncoder() -> any Encoder { encoder.inner }
  mutating func superEncoder(forKey key: Key) -> any Encoder {
    note(key)
    return encoder.inner
  }
}

/// Takes values without keeping any. A single value may bring keys of its own: it is what a wrapper encodes.
private struct Ignored: UnkeyedEncodingContainer, SingleValueEncodingContainer {
  let encoder: KeyEncoder
  var codingPath: [any CodingKey] { [] }
  var count = 0

  init(encoder: KeyEncoder) { self.encoder = encoder }

  mutating func encodeNil() { count += 1 }
  mutating func encode(_ value: some Encodable) throws {
    count += 1
    if encoder.isOutermost { try value.encode(to: encoder) }
  }
  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<
    Nested
  > {
    encoder.inner.container(keyedBy: type)
  }
  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { Ignored(encoder: encoder.inner) }
  mutating func superEncoder() -> any Encoder { encoder.inner }
}
