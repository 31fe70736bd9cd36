/// The unkeyed container of a `DepthProbe`.
struct UnkeyedDepthProbe: UnkeyedEncodingContainer {
  let probe: DepthProbe
  private(set) var count = 0
  var codingPath: [any CodingKey] { probe.codingPath }

  init(probe: DepthProbe) {
    self.probe = probe
  }

  mutating func encode(_ value: some Encodable) throws {
    count += 1
    try probe.nested().look(at: value)
  }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy keyType: Nested.Type) -> KeyedEncodingContainer<
    Nested
  > {
    count += 1
    return probe.nested().container(keyedBy: keyType)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    count += 1
    return probe.nested().unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder {
    count += 1
    return probe.nested()
  }

  mutating func encodeNil() { count += 1 }
  mutating func encode(_ value: Bool) { count += 1 }
  mutating func encode(_ value: String) { count += 1 }
  mutating func encode(_ value: Double) { count += 1 }
  mutating func encode(_ value: Float) { count += 1 }
  mutating func encode(_ value: Int) { count += 1 }
  mutating func encode(_ value: Int8) { count += 1 }
  mutating func encode(_ value: Int16) { count += 1 }
  mutating func encode(_ value: Int32) { count += 1 }
  mutating func encode(_ value: Int64) { count += 1 }
  mutating func encode(_ value: UInt) { count += 1 }
  mutating func encode(_ value: UInt8) { count += 1 }
  mutating func encode(_ value: UInt16) { count += 1 }
  mutating func encode(_ value: UInt32) { count += 1 }
  mutating func encode(_ value: UInt64) { count += 1 }
}
