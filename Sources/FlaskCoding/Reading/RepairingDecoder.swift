internal import FlaskCore
import Foundation

/// Decodes values, and supplies the properties that their text lacks.
///
/// A missing property comes from the initial state, if the initial state has a value at the same path of objects.
/// Otherwise it comes from the initial value of the type that lacks the property, if the type is a `FlaskState`. For an
/// element of an array only the second source exists, since the initial state has no corresponding element.
struct RepairingDecoder: Decoder {
  let base: any Decoder
  /// The decoder of the encoded initial state at the same path, if the initial state has a value there.
  let defaults: (any Decoder)?
  /// The type that is decoded.
  let owner: Any.Type
  /// True for a value of type `owner`; false for the payload of an enum case, or another container nested in the value.
  var isWhole = true
  let source: InitialValues

  var codingPath: [any CodingKey] { base.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    let base = try base.container(keyedBy: type)
    let defaults = try? defaults?.container(keyedBy: type)
    return KeyedDecodingContainer(RepairingKeyedContainer(base: base, decoder: self, defaults: defaults))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    RepairingUnkeyedContainer(base: try base.unkeyedContainer(), decoder: self)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  /// Makes a decoder of a child. The child is a value of the given type or, if no type is given, a container nested in
  /// `owner`.
  fileprivate func part(_ base: any Decoder, _ known: (any Decoder)?, of type: Any.Type?) -> Self {
    Self(base: base, defaults: known, owner: type ?? owner, isWhole: type != nil, source: source)
  }

  /// Decodes dates, data, URLs and decimal numbers from their special JSON form, and any other type by its own code.
  static func decode<Value: Decodable>(_ type: Value.Type, from decoder: any Decoder) throws -> Value {
    do {
      switch type {
      case is Date.Type, is Data.Type, is URL.Type, is Decimal.Type:
        return try decoder.singleValueContainer().decode(type)
      default: return try Value(from: decoder)
      }
    } catch {
      (decoder as? RepairingDecoder)?.source.noteMisfit(of: type, at: decoder.codingPath)
      throw error
    }
  }
}

extension RepairingDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { (try? base.singleValueContainer())?.decodeNil() ?? false }

  // This function also decodes most plain types: their `init(from:)` requests the type itself, and the request is
  // passed on to the real decoder.
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if isWhole, type == owner { return try base.singleValueContainer().decode(type) }
    return try Self.decode(type, from: part(base, defaults, of: type))
  }

  func decode(_ type: Int128.Type) throws -> Int128 { try base.singleValueContainer().decode(type) }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try base.singleValueContainer().decode(type) }
}

/// The keyed container of a `RepairingDecoder`.
struct RepairingKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let base: KeyedDecodingContainer<Key>
  let decoder: RepairingDecoder
  /// The container of the encoded initial state at the same path, if the initial state has an object there.
  let defaults: KeyedDecodingContainer<Key>?

  var codingPath: [any CodingKey] { base.codingPath }
  var allKeys: [Key] { base.allKeys }

  func contains(_ key: Key) -> Bool { base.contains(key) }

  func decodeNil(forKey key: Key) throws -> Bool {
    try base.contains(key) ? base.decodeNil(forKey: key) : initial(key)[0].decodeNil(forKey: key)
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    if base.contains(key) { return try RepairingDecoder.decode(type, from: value(key, of: type)) }
    let initial = try initial(key)
    // Decoding errors are ignored, since the initial state may have a value of another type at this path.
    let values = initial.compactMap { try? $0.decode(type, forKey: key) }
    return try values.first ?? initial[0].decode(type, forKey: key)
  }

  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
    try base.contains(key) ? base.decode(type, forKey: key) : initial(key)[0].decode(type, forKey: key)
  }

  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    try base.contains(key) ? base.decode(type, forKey: key) : initial(key)[0].decode(type, forKey: key)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type,
    forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try value(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try value(key).unkeyedContainer()
  }

  func superDecoder(forKey key: Key) throws -> any Decoder { try value(key) }

  func superDecoder() throws -> any Decoder {
    decoder.part(try base.superDecoder(), try? (defaults ?? own)?.superDecoder(), of: nil)
  }

  /// The container of the encoded `owner.init()`, if `owner` is a `FlaskState`.
  private var own: KeyedDecodingContainer<Key>? {
    decoder.isWhole ? decoder.source.container(of: decoder.owner, keyedBy: Key.self) : nil
  }

  /// Returns a decoder of the value under a key, or of its initial value if the key is missing.
  private func value(_ key: Key, of type: Any.Type? = nil) throws -> any Decoder {
    guard base.contains(key) else { return try initial(key)[0].superDecoder(forKey: key) }
    let known = defaults?.contains(key) ?? false ? try? defaults?.superDecoder(forKey: key) : nil
    return decoder.part(try base.superDecoder(forKey: key), known, of: type)
  }

  /// The containers that have an initial value for a missing key, at least one. The container of the initial state
  /// comes first, then the container of the initial value of the type.
  private func initial(_ key: Key) throws -> [KeyedDecodingContainer<Key>] {
    let initial = [defaults, own].compactMap { $0 }.filter { $0.contains(key) }
    let type = decoder.owner
    let property = InitialValues.Property(type: ObjectIdentifier(type), key: key.stringValue)
    if decoder.source.supplies(property, at: codingPath, keys: Key.self, isKnown: !initial.isEmpty) {
      return initial
    }
    let isAdvised = decoder.isWhole && !(type is any FlaskState.Type)
    let advice = isAdvised ? "let \(type) be a FlaskState, whose init() says one, or " : ""
    let context = DecodingError.Context(
      codingPath: codingPath,
      debugDescription: """
        it is missing, and no initial value of it is known from \(type): \(advice)raise the version of the archive, and put \
        it in by the migration
        """
    )
    throw DecodingError.keyNotFound(key, context)
  }
}

/// The unkeyed container of a `RepairingDecoder`.
struct RepairingUnkeyedContainer: UnkeyedDecodingContainer {
  var base: any UnkeyedDecodingContainer
  let decoder: RepairingDecoder

  var codingPath: [any CodingKey] { base.codingPath }
  var count: Int? { base.count }
  var isAtEnd: Bool { base.isAtEnd }
  var currentIndex: Int { base.currentIndex }

  mutating func decodeNil() throws -> Bool { try base.decodeNil() }
  mutating func decode(_ type: Int128.Type) throws -> Int128 { try base.decode(type) }
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try base.decode(type) }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try next(of: type) { try RepairingDecoder.decode(type, from: $0) }
  }

  mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key>
  {
    try next { try $0.container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next { try $0.unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder { try next { $0 } }

  /// Advances to the next element only if the current element could be decoded.
  private mutating func next<Value>(
    of type: Any.Type? = nil,
    _ body: (RepairingDecoder) throws -> Value
  ) throws -> Value {
    var rest = base
    let value = try body(decoder.part(try rest.superDecoder(), nil, of: type))
    base = rest
    return value
  }
}

/// The initial values of the types that define one, and the list of properties to take from these values.
///
/// A property is listed only if its absence made the decoding of the whole state fail. Client code may also try a type
/// with `try?`, and then another type at the same path. A property that is missing in such an attempt is not supplied.
/// A property of the second type is not supplied either, since the two attempts cannot be distinguished.
final class InitialValues {
  struct Property: Hashable {
    let type: ObjectIdentifier
    let key: String
  }

  private var known: [ObjectIdentifier: any Decoder] = [:]
  private var supplied: Set<Property> = []
  /// The property that was missed last, if it can be supplied.
  private var missed: Property?
  /// The type or the key type that could not be decoded last, by path.
  private var misfits: [[String]: ObjectIdentifier] = [:]
  /// Whether something was supplied.
  private(set) var isUsed = false

  /// Whether a property is supplied. If not, it is recorded as missing.
  func supplies(_ property: Property, at path: [any CodingKey], keys: Any.Type, isKnown: Bool) -> Bool {
    if isKnown, supplied.contains(property) {
      isUsed = true
      return true
    }
    missed = noteMisfit(of: keys, at: path) || !isKnown ? nil : property
    return false
  }

  /// Records that a type could not be decoded at a path. Returns true if another type could not be decoded there
  /// before.
  @discardableResult
  func noteMisfit(of type: Any.Type, at path: [any CodingKey]) -> Bool {
    let former = misfits.updateValue(ObjectIdentifier(type), forKey: path.map(\.stringValue))
    return former != nil && former != ObjectIdentifier(type)
  }

  /// Notes that the state could not be decoded because of a missing key, so that the next attempt supplies the value if
  /// possible.
  ///
  /// - Returns: whether it is supplied from now on.
  func supply(_ key: any CodingKey) -> Bool {
    misfits = [:]
    guard let missed, missed.key == key.stringValue else { return false }
    return supplied.insert(missed).inserted
  }

  /// Returns the encoded initial value of a type; `nil` if the type is no `FlaskState`. The value is cached only if two
  /// initial values are equal: with new identities, for example, each use gets a new value.
  func container<Key: CodingKey>(of type: Any.Type, keyedBy: Key.Type) -> KeyedDecodingContainer<Key>? {
    guard let type = type as? any FlaskState.Type else { return nil }
    if let known = known[ObjectIdentifier(type)] { return try? known.container(keyedBy: Key.self) }
    guard let text = try? SubstanceSerializer.data(from: type.init()),
      let decoder = try? SubstanceSerializer.decoder(of: text)
    else { return nil }
    if text == (try? SubstanceSerializer.data(from: type.init())) { known[ObjectIdentifier(type)] = decoder }
    return try? decoder.container(keyedBy: Key.self)
  }
}
