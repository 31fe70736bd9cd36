internal import FlaskDiff

/// An encoder that counts levels of nesting and passes the values on to the real encoder.
struct GuardedEncoder: Encoder {
  let base: any Encoder
  let level: EncodingLevel
  /// The coding path of the value; `nil` if it is not recorded. The path of the real encoder is not sufficient, since
  /// it lacks the keys of nested containers.
  let path: [any CodingKey]?

  var codingPath: [any CodingKey] { path ?? base.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    let base = base.container(keyedBy: type)
    return KeyedEncodingContainer(GuardedKeyedContainer(base: base, level: level, path: path))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    GuardedUnkeyedContainer(base: base.unkeyedContainer(), level: level, path: path)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    GuardedSingleContainer(base: base.singleValueContainer(), level: level, path: path)
  }
}

/// The keyed container of a `GuardedEncoder`. Values with a special form in JSON are passed directly to the real
/// encoder.
struct GuardedKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  fileprivate var base: KeyedEncodingContainer<Key>
  fileprivate let level: EncodingLevel
  fileprivate let path: [any CodingKey]?

  var codingPath: [any CodingKey] { path ?? base.codingPath }
  private func below(_ key: any CodingKey) -> [any CodingKey]? { path.map { $0 + [key] } }

  mutating func encode(_ value: some Encodable, forKey key: Key) throws {
    try level.pass(
      value,
      at: codingPath + [key],
      path: below(key),
      plain: { try base.encode($0, forKey: key) },
      guarded: { try base.encode($0, forKey: key) }
    )
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy keyType: Nested.Type,
    forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    guard let level = level.nested else { return EncodingLevel.refusing.container(keyedBy: keyType) }
    let nested = base.nestedContainer(keyedBy: keyType, forKey: key)
    return KeyedEncodingContainer(GuardedKeyedContainer<Nested>(base: nested, level: level, path: below(key)))
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    guard let level = level.nested else { return EncodingLevel.refusing.unkeyedContainer() }
    let nested = base.nestedUnkeyedContainer(forKey: key)
    return GuardedUnkeyedContainer(base: nested, level: level, path: below(key))
  }

  mutating func superEncoder() -> any Encoder {
    guard let level = level.nested else { return EncodingLevel.refusing }
    let path = below(PlainKey(stringValue: "super"))
    return GuardedEncoder(base: base.superEncoder(), level: level, path: path)
  }

  mutating func superEncoder(forKey key: Key) -> any Encoder {
    guard let level = level.nested else { return EncodingLevel.refusing }
    return GuardedEncoder(base: base.superEncoder(forKey: key), level: level, path: below(key))
  }

  mutating func encodeNil(forKey key: Key) throws { try base.encodeNil(forKey: key) }
  mutating func encode(_ value: Bool, forKey key: Key) throws { try base.encode(value, forKey: key) }
  mutating func encode(_ value: String, forKey key: Key) throws { try base.encode(value, forKey: key) }
  mutating func encode(_ value: Double, forKey key: Key) throws { try base.encode(value, forKey: key) }
  mutating func encode(_ value: Float, forKey key: Key) throws { try base.encode(value, forKey: key) }
  mutating func encode(_ value: Int, forKey key: Key) throws { try base.encode(value, forKey: key) }
  mutating func encode(_ value: Int8, forKey key: Key) throws { try base.encode(value, forKey: key) }
  mutating func encode(_ value: Int16, forKey key: Key) throws { try base.encode(value, forKey: key) }
  mutating func encode(_ value: Int32, forKey key: Key) throws { try base.encode(value, forKey: key) }
  mutating func encode(_ value: Int64, forKey key: Key) throws { try base.encode(value, forKey: key) }
  mutating func encode(_ value: UInt, forKey key: Key) throws { try base.encode(value, forKey: key) }
  mutating func encode(_ value: UInt8, forKey key: Key) throws { try base.encode(value, forKey: key) }
  mutating func encode(_ value: UInt16, forKey key: Key) throws { try base.encode(value, forKey: key) }
  mutating func encode(_ value: UInt32, forKey key: Key) throws { try base.encode(value, forKey: key) }
  mutating func encode(_ value: UInt64, forKey key: Key) throws { try base.encode(value, forKey: key) }
  // These two functions are needed, since the library's default implementations do not support the 128-bit types.
  mutating func encode(_ value: Int128, forKey key: Key) throws { try base.encode(value, forKey: key) }
  mutating func encode(_ value: UInt128, forKey key: Key) throws { try base.encode(value, forKey: key) }
}

/// The unkeyed container of a `GuardedEncoder`.
struct GuardedUnkeyedContainer: UnkeyedEncodingContainer {
  fileprivate var base: any UnkeyedEncodingContainer
  fileprivate let level: EncodingLevel
  fileprivate let path: [any CodingKey]?

  var codingPath: [any CodingKey] { path ?? base.codingPath }
  var count: Int { base.count }
  private func place(_ index: Int) -> [any CodingKey]? { path.map { $0 + [PlainKey(intValue: index)] } }

  mutating func encode(_ value: some Encodable) throws {
    try level.pass(
      value,
      at: codingPath + [PlainKey(intValue: count)],
      path: place(count),
      plain: { try base.encode($0) },
      guarded: { try base.encode($0) }
    )
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy keyType: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    guard let level = level.nested else { return EncodingLevel.refusing.container(keyedBy: keyType) }
    let nested = base.nestedContainer(keyedBy: keyType)
    let path = place(count - 1)
    return KeyedEncodingContainer(GuardedKeyedContainer<Nested>(base: nested, level: level, path: path))
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    guard let level = level.nested else { return EncodingLevel.refusing.unkeyedContainer() }
    return GuardedUnkeyedContainer(base: base.nestedUnkeyedContainer(), level: level, path: place(count - 1))
  }

  mutating func superEncoder() -> any Encoder {
    guard let level = level.nested else { return EncodingLevel.refusing }
    return GuardedEncoder(base: base.superEncoder(), level: level, path: place(count - 1))
  }

  mutating func encodeNil() throws { try base.encodeNil() }
  mutating func encode(_ value: Bool) throws { try base.encode(value) }
  mutating func encode(_ value: String) throws { try base.encode(value) }
  mutating func encode(_ value: Double) throws { try base.encode(value) }
  mutating func encode(_ value: Float) throws { try base.encode(value) }
  mutating func encode(_ value: Int) throws { try base.encode(value) }
  mutating func encode(_ value: Int8) throws { try base.encode(value) }
  mutating func encode(_ value: Int16) throws { try base.encode(value) }
  mutating func encode(_ value: Int32) throws { try base.encode(value) }
  mutating func encode(_ value: Int64) throws { try base.encode(value) }
  mutating func encode(_ value: UInt) throws { try base.encode(value) }
  mutating func encode(_ value: UInt8) throws { try base.encode(value) }
  mutating func encode(_ value: UInt16) throws { try base.encode(value) }
  mutating func encode(_ value: UInt32) throws { try base.encode(value) }
  mutating func encode(_ value: UInt64) throws { try base.encode(value) }
  mutating func encode(_ value: Int128) throws { try base.encode(value) }
  mutating func encode(_ value: UInt128) throws { try base.encode(value) }
}

/// The single-value container of a `GuardedEncoder`.
struct GuardedSingleContainer: SingleValueEncodingContainer {
  fileprivate var base: any SingleValueEncodingContainer
  fileprivate let level: EncodingLevel
  fileprivate let path: [any CodingKey]?

  var codingPath: [any CodingKey] { path ?? base.codingPath }

  mutating func encode(_ value: some Encodable) throws {
    try level.pass(
      value,
      at: codingPath,
      path: path,
      plain: { try base.encode($0) },
      guarded: { try base.encode($0) }
    )
  }

  mutating func encodeNil() throws { try base.encodeNil() }
  mutating func encode(_ value: Bool) throws { try base.encode(value) }
  mutating func encode(_ value: String) throws { try base.encode(value) }
  mutating func encode(_ value: Double) throws { try base.encode(value) }
  mutating func encode(_ value: Float) throws { try base.encode(value) }
  mutating func encode(_ value: Int) throws { try base.encode(value) }
  mutating func encode(_ value: Int8) throws { try base.encode(value) }
  mutating func encode(_ value: Int16) throws { try base.encode(value) }
  mutating func encode(_ value: Int32) throws { try base.encode(value) }
  mutating func encode(_ value: Int64) throws { try base.encode(value) }
  mutating func encode(_ value: UInt) throws { try base.encode(value) }
  mutating func encode(_ value: UInt8) throws { try base.encode(value) }
  mutating func encode(_ value: UInt16) throws { try base.encode(value) }
  mutating func encode(_ value: UInt32) throws { try base.encode(value) }
  mutating func encode(_ value: UInt64) throws { try base.encode(value) }
  mutating func encode(_ value: Int128) throws { try base.encode(value) }
  mutating func encode(_ value: UInt128) throws { try base.encode(value) }
}
