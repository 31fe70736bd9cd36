internal import FlaskMerging
internal import FlaskDiff
internal import Foundation

/// The limits of nesting for a state or a JSON text, so that recursive code does not overflow the stack.
package enum NestingDepth {
  /// How deep a state may be nested.
  package static let limit = 400

  /// The nesting depth for which the stack of any thread suffices.
  package static let shallow = 16

  /// Encodes a value once, and stops where it is nested deeper than `limit`. So the stack only has to suffice for the
  /// limit. Empty containers count too.
  ///
  /// - Returns: the result of `encode`; `nil` if the value is nested too deeply.
  /// - Throws: what `encode` throws.
  static func guarded<Value: Encodable, Result>(
    _ value: Value,
    limit: Int,
    noting places: NotedPlaces? = nil,
    tracking isTracking: Bool = false,
    encode: (GuardedValue<Value>) throws -> Result
  ) throws -> Result? {
    let level = EncodingLevel(limit: limit, noting: places)
    do {
      let result = try encode(
        GuardedValue(value: value, level: level, path: isTracking || places != nil ? [] : nil)
      )
      return level.isPassed ? nil : result
    } catch {
      // The flag is checked, not the error: a state may have caught the error of the limit and thrown another error.
      if level.isPassed { return nil }
      throw error
    }
  }
}

/// A value to be passed to an encoder, with its level of nesting.
struct GuardedValue<Value: Encodable>: Encodable {
  let value: Value
  let level: EncodingLevel
  let path: [any CodingKey]?

  func encode(to encoder: any Encoder) throws {
    if let places = level.places, let path { places.record(value, at: path) }
    if !EncodingLevel.plain.contains(ObjectIdentifier(Value.self)) {
      return try value.encode(to: GuardedEncoder(base: encoder, level: level, path: path))
    }
    // The value is passed to the real encoder as a whole, since its decoder expects the special form that this encoder
    // writes.
    try EncodingLevel.check(value, at: encoder.codingPath)
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

/// The nesting level of a value that is being encoded, and the largest allowed level.
package struct EncodingLevel {
  /// Thrown where the limit is passed.
  struct TooDeep: Error {}

  /// Whether the limit was passed anywhere.
  private final class Record {
    var isPassed = false
    let places: NotedPlaces?

    init(_ places: NotedPlaces?) { self.places = places }
  }

  private let depth: Int
  private let limit: Int
  private let record: Record

  /// The outermost level.
  init(limit: Int, noting places: NotedPlaces? = nil) {
    self.init(depth: 1, limit: limit, record: Record(places))
  }

  private init(depth: Int, limit: Int, record: Record) {
    self.depth = depth
    self.limit = limit
    self.record = record
  }

  var isPassed: Bool { record.isPassed }

  /// The collector that records where an array encodes an unordered collection; `nil` if this is not recorded.
  var places: NotedPlaces? { record.places }

  /// The next deeper level. Beyond the limit it is `nil`, and the violation is recorded.
  var nested: EncodingLevel? {
    if depth < limit { return EncodingLevel(depth: depth + 1, limit: limit, record: record) }
    record.isPassed = true
    return nil
  }

  /// The encoder for containers nested too deeply. It writes nothing, and throws an error at the next value, which ends
  /// the encoding.
  static var refusing: any Encoder { EncodedShape.encoder(refusing: TooDeep()) }

  /// Passes a value that is nested one level deeper to a real container. The value gets a guard if it needs one.
  ///
  /// - Throws: the error of the container, and an error for a value that is not valid JSON.
  func pass<Value: Encodable>(
    _ value: Value,
    at path: @autoclosure () -> [any CodingKey],
    path known: @autoclosure () -> [any CodingKey]?,
    plain: (Value) throws -> Void,
    guarded: (GuardedValue<Value>) throws -> Void
  ) throws {
    guard let level = nested else { throw TooDeep() }
    try Self.check(value, at: path())
    let known = known()
    if Self.plain.contains(ObjectIdentifier(Value.self)) {
      if let places, let known { places.record(value, at: known) }
      return try plain(value)
    }
    try guarded(GuardedValue(value: value, level: level, path: known))
  }

  /// Throws an error for `Decimal.nan`, the only number that `JSONEncoder` writes as invalid JSON.
  package static func check<V: Encodable>(_ value: V, at path: @autoclosure () -> [any CodingKey]) throws {
    guard V.self == Decimal.self, (value as? Decimal)?.isNaN ?? false else { return }
    let context = EncodingError.Context(codingPath: path(), debugDescription: "JSON has no Decimal.nan")
    throw EncodingError.invalidValue(value, context)
  }

  /// Types that JSON's encoder treats specially or encodes by a fast path, and that contain nothing but numbers and
  /// texts.
  static let plain: Set<ObjectIdentifier> = [
    ObjectIdentifier(Data.self), ObjectIdentifier(Date.self), ObjectIdentifier(URL.self),
    ObjectIdentifier(Decimal.self), ObjectIdentifier(UUID.self),
    ObjectIdentifier([Int].self), ObjectIdentifier([String].self), ObjectIdentifier([Double].self),
    ObjectIdentifier([Bool].self), ObjectIdentifier([UInt8].self), ObjectIdentifier([Float].self),
    ObjectIdentifier([String: Int].self), ObjectIdentifier([String: String].self),
    ObjectIdentifier([String: Double].self), ObjectIdentifier([String: Bool].self),
  ]
}
