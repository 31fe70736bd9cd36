/// The keyed container of a `DepthProbe`.
struct KeyedDepthProbe<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let probe: DepthProbe
  var codingPath: [any CodingKey] { probe.codingPath }

  func encode(_ value: some Encodable, forKey key: Key) throws {
    try probe.nested().look(at: value)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy keyType: Nested.Type,
    forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    probe.nested().container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    probe.nested().unkeyedContainer()
  }

  func superEncoder() -> any Encoder { probe.nested() }
  func superEncoder(forKey key: Key) -> any Encoder { probe.nested() }

  func encodeNil(forKey key: Key) {}
  func encode(_ value: Bool, forKey key: Key) {}
  func encode(_ value: String, forKey key: Key) {}
  func encode(_ value: Double, forKey key: Key) {}
  func encode(_ value: Float, forKey key: Key) {}
  func encode(_ value: Int, forKey key: Key) {}
  func encode(_ value: Int8, forKey key: Key) {}
  func encode(_ value: Int16, forKey key: Key) {}
  func encode(_ value: Int32, forKey key: Key) {}
  func encode(_ value: Int64, forKey key: Key) {}
  func encode(_ value: UInt, forKey key: Key) {}
  func encode(_ value: UInt8, forKey key: Key) {}
  func encode(_ value: UInt16, forKey key: Key) {}
  func encode(_ value: UInt32, forKey key: Key) {}
  func encode(_ value: UInt64, forKey key: Key) {}
}
