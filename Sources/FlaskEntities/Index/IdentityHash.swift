/// Hashes of identities, as an `IdentityIndex` uses them: 32 bits, of which the index uses both the uppermost and the
/// lowest.
///
/// Integers of 32 and 64 bits, the most frequent identities, take two multiplications. `Hasher`, which hashes all other
/// identities, takes ten times as long. The first factor and a mask are chosen randomly for each run of a program, like
/// the seed of `Hasher`. An attacker who chooses identities therefore cannot know which ones collide.
@usableFromInline
enum IdentityHash {
  @inlinable @inline(__always)
  static func hash<ID: Hashable>(_ id: ID) -> UInt32 {
    if let word = word(id) { return secret.hash(word) }
    // The bits of the hash are spread over the result, since a type may define a `hashValue` that leaves bits unused.
    return spread(UInt64(truncatingIfNeeded: id.hashValue))
  }

  /// Reduces a word to 32 bits: the upper half of a product, to which all bits of the word contribute.
  @inlinable @inline(__always)
  static func spread(_ word: UInt64) -> UInt32 {
    UInt32(truncatingIfNeeded: (word &* 0x9E37_79B9_7F4A_7C15) &>> 32)
  }

  /// An integer as a word; `nil` for other types. The compiler evaluates all conditions if it knows the type, except
  /// for classes.
  @inlinable @inline(__always)
  static func word<ID: Hashable>(_ id: ID) -> UInt64? {
    if ID.self == Int.self { return UInt64(truncatingIfNeeded: unsafeBitCast(id, to: Int.self)) }
    if ID.self == UInt.self { return UInt64(truncatingIfNeeded: unsafeBitCast(id, to: UInt.self)) }
    if ID.self == Int64.self { return UInt64(bitPattern: unsafeBitCast(id, to: Int64.self)) }
    if ID.self == UInt64.self { return unsafeBitCast(id, to: UInt64.self) }
    if ID.self == Int32.self { return UInt64(truncatingIfNeeded: unsafeBitCast(id, to: Int32.self)) }
    if ID.self == UInt32.self { return UInt64(truncatingIfNeeded: unsafeBitCast(id, to: UInt32.self)) }
    return nil
  }

  /// The secret of the hash of integers. It is derived from the seed of `Hasher`, and so is constant between runs if
  /// that seed is.
  @usableFromInline
  static let secret = IntegerHash(mask: secretWord("mask"), factor: secretWord("factor"))

  /// Returns a random word. Two hashes are combined, since a hash has 32 bits on platforms with an `Int` of 32 bits.
  static func secretWord(_ name: String) -> UInt64 {
    let upper = "upper \(name)".hashValue
    let lower = "lower \(name)".hashValue
    return UInt64(UInt32(truncatingIfNeeded: upper)) << 32 | UInt64(UInt32(truncatingIfNeeded: lower))
  }
}

/// Hashes integers: multiplies, folds the upper half of the product onto the lower half, and spreads the result once
/// more. With some factors, the product alone would spread some regular sequences unevenly.
@usableFromInline
struct IntegerHash: Sendable {
  @usableFromInline let mask: UInt64
  @usableFromInline let factor: UInt64

  init(mask: UInt64, factor: UInt64) {
    self.mask = mask
    // An even factor would lose bits.
    self.factor = factor | 1
  }

  @inlinable @inline(__always)
  func hash(_ word: UInt64) -> UInt32 {
    let product = (word ^ mask).multipliedFullWidth(by: factor)
    let folded = product.high ^ product.low
    return IdentityHash.spread(folded ^ (folded &>> 32))
  }
}
