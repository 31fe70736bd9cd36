/// The single-value container of a `DepthProbe`.
struct SingleValueDepthProbe: SingleValueEncodingContainer {
  let probe: DepthProbe
  var codingPath: [any CodingKey] { probe.codingPath }

  func encode(_ value: some Encodable) throws {
    try probe.nested().look(at: value)
  }

  func encodeNil() {}
  func encode(_ value: Bool) {}
  func encode(_ value: String) {}
  func encode(_ value: Double) {}
  func encode(_ value: Float) {}
  func encode(_ value: Int) {}
  func encode(_ value: Int8) {}
  func encode(_ value: Int16) {}
  func encode(_ value: Int32) {}
  func encode(_ value: Int64) {}
  func encode(_ value: UInt) {}
  func encode(_ value: UInt8) {}
  func encode(_ value: UInt16) {}
  func encode(_ value: UInt32) {}
  func encode(_ value: UInt64) {}
}
