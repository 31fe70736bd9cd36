import Foundation

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
