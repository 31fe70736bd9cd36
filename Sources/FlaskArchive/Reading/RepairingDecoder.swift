internal import FlaskCore
import Foundation

/// Decodes values, and supplies the properties that their text lacks.
///
/// A missing property comes from the initial state, where that has one at the same path of objects, else from the
/// initial value of the type that lacks it, if that is a `FlaskState`. An array's element has no path of its own.
struct RepairingDecoder: Decoder {
  let base: any Decoder
  /// What the initial state has at this place.
  let defaults: (any Decoder)?
  /// The type that is decoded.
  let owner: Any.Type
  /// Whether this is the value itself, and not the payload of a case, or another part that the type nests.
  var isWhole = true
  let source: InitialValues

  var codingPath: [any CodingKey] { base.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(RepairingKeyedContainer(base: try base.container(keyedBy: type), decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    RepairingUnkeyedContainer(base: try base.unkeyedContainer(), decoder: self)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  /// What stands below, as a value of a type, or as a part of this one.
  fileprivate func part(_ base: any Decoder, _ defaults: (any Decoder)?, of type: Any.Type?)
    -> RepairingDecoder
  {
    let isWhole = type != nil
    return RepairingDecoder(
      base: base,
      defaults: defaults,
      owner: type ?? owner,
      isWhole: isWhole,
      source: source
    )
  }

  /// Decodes by the form that JSON has for a type, if it has one, else by the type's own code.
  static func decode<Value: Decodable>(_ type: Value.Type, from decoder: any Decoder) throws -> Value {
    switch type {
    case is Date.Type, is Data.Type, is URL.Type, is Decimal.Type:
      try decoder.singleValueContainer().decode(type)
    default: try Value(from: decoder)
    }
  }
}

extension RepairingDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { (try? base.singleValueContainer())?.decodeNil() ?? false }

  // Meets the requirement for each plain type, too: these ask for themselves, which is passed on.
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if type == owner { return try base.singleValueContainer().decode(type) }
    return try Self.decode(type, from: part(base, defaults, of: type))
  }
}

/// The keyed container of a `RepairingDecoder`.
struct RepairingKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let base: KeyedDecodingContainer<Key>
  let decoder: RepairingDecoder

  var codingPath: [any CodingKey] { base.codingPath }
  var allKeys: [Key] { base.allKeys }

  func contains(_ key: Key) -> Bool { base.contains(key) }
  func decodeNil(forKey key: Key) throws -> Bool { try base.decodeNil(forKey: key) }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try RepairingDecoder.decode(type, from: value(key, of: type))
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

  /// What the initial state has here.
  private var defaults: KeyedDecodingContainer<Key>? { try? decoder.defaults?.container(keyedBy: Key.self) }
  /// What the initial value of the type has.
  private var own: KeyedDecodingContainer<Key>? {
    decoder.isWhole ? decoder.source.container(of: decoder.owner, keyedBy: Key.self) : nil
  }

  /// What stands under a key; if nothing does, the initial value.
  private func value(_ key: Key, of type: Any.Type? = nil) throws -> any Decoder {
    let defaults = defaults
    let isKnown = defaults?.contains(key) ?? false
    if base.contains(key) {
      let known = isKnown ? try? defaults?.superDecoder(forKey: key) : nil
      return decoder.part(try base.superDecoder(forKey: key), known, of: type)
    }
    guard let initial = isKnown ? defaults : own, initial.contains(key) else {
      let type = decoder.owner
      let advice = decoder.isWhole ? "let \(type) be a FlaskState, whose init() says one, or " : ""
      let context = DecodingError.Context(
        codingPath: codingPath,
        debugDescription: """
          it is missing, and \(type) says no initial value of it: \(advice)raise the version of the archive, and put \
          it in by the migration
          """
      )
      throw DecodingError.keyNotFound(key, context)
    }
    decoder.source.isUsed = true
    return try initial.superDecoder(forKey: key)
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

  /// Goes on to the next element only if this one could be decoded.
  private mutating func next<Value>(
    of type: Any.Type? = nil,
    _ body: (RepairingDecoder) throws -> Value
  ) throws -> Value {
    var rest = base
    let element = decoder.part(try rest.superDecoder(), nil, of: type)
    let value = try body(element)
    base = rest
    return value
  }
}

/// The encoded initial values of types that say one.
final class InitialValues {
  private var known: [ObjectIdentifier: any Decoder] = [:]
  /// Whether something was supplied.
  var isUsed = false

  /// The initial value of a type that is a `FlaskState`.
  func container<Key: CodingKey>(of type: Any.Type, keyedBy: Key.Type) -> KeyedDecodingContainer<Key>? {
    guard let type = type as? any FlaskState.Type else { return nil }
    let id = ObjectIdentifier(type)
    let decoder =
      known[id] ?? (try? SubstanceSerializer.decoder(of: SubstanceSerializer.data(from: type.init())))
    known[id] = decoder
    return try? decoder?.container(keyedBy: Key.self)
  }
}
