import Foundation

/// How deep a state or a JSON text may be nested, so that something recursive can work on it.
enum NestingDepth {
  /// How deep a state may be nested.
  static let limit = 400

  /// As deep as any thread's stack can take.
  static let shallow = 16

  /// Says whether a value encodes to no more than `limit` levels. It encodes the value into nothing, and stops at the
  /// level beyond the limit, so that the stack need only be good for the limit.
  ///
  /// A value that throws when it is encoded is measured up to there: the real encoder will run into the same error, and
  /// can say where.
  static func isWithin(_ limit: Int, _ value: some Encodable) -> Bool {
    let record = DepthProbe.Record()
    try? DepthProbe(limit: limit, record: record).look(at: value)
    return record.deepest <= limit
  }
}

/// An encoder that writes nothing and gives up where a value is nested too deep.
struct DepthProbe: Encoder {
  /// Thrown where the limit is passed.
  struct TooDeep: Error {}

  /// The deepest level that was reached; containers without content count too.
  final class Record {
    fileprivate(set) var deepest = 1
  }

  private let record: Record
  private let depth: Int
  private let limit: Int

  let codingPath: [any CodingKey] = []
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(limit: Int, record: Record) {
    self.init(depth: 1, limit: limit, record: record)
  }

  private init(depth: Int, limit: Int, record: Record) {
    self.depth = depth
    self.limit = limit
    self.record = record
    record.deepest = max(record.deepest, depth)
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(KeyedDepthProbe(probe: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { UnkeyedDepthProbe(probe: self) }

  func singleValueContainer() -> any SingleValueEncodingContainer { SingleValueDepthProbe(probe: self) }

  /// The probe for what stands one level further in.
  func nested() -> DepthProbe {
    DepthProbe(depth: depth + 1, limit: limit, record: record)
  }

  /// Looks at a value that stands at this probe's level. Data is text in an archive, and not looked into.
  func look<Value: Encodable>(at value: Value) throws {
    guard depth <= limit else { throw TooDeep() }
    if Value.self == Data.self { return }
    try value.encode(to: self)
  }
}

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
