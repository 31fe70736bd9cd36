import Testing

@testable import FlaskEntities
import TestSupport

/// An element whose identity is of any type.
private struct Item<ID: Hashable>: Identifiable {
  let id: ID
}

/// How identities are hashed: evenly, and the same wherever the compiler knows their type and where not.
@Suite struct IdentityHashTests {
  /// Words as identities often follow each other.
  private var sequences: [[UInt64]] {
    let numbers = (0..<4096).map { UInt64($0) }
    let steps: [UInt64] = [3, 10, 1000, 7919, 1_000_000, 1_000_000_000]
    return (0...52).map { bits in numbers.map { $0 << UInt64(bits) } }
      + steps.map { step in numbers.map { $0 * step } }
      + [
        numbers.map { 0 &- $0 }, numbers.map { $0 * $0 }, numbers.map { ($0 >> 6) << 32 | $0 & 63 },
      ]
  }

  /// How far 4096 hashes are from being spread evenly over 64 places: 63 on average if they are spread by chance, and
  /// beyond 160 once in a thousand million times.
  private func unevenness(_ hashes: [UInt32], place: (UInt32) -> UInt32) -> Double {
    var counts = [Double](repeating: 0, count: 64)
    for hash in hashes { counts[Int(place(hash))] += 1 }
    return counts.reduce(0) { $0 + ($1 - 64) * ($1 - 64) / 64 }
  }

  @Test func `Regular sequences of integers are spread over pages and places as random ones`() {
    var numbers = SeededGenerator(seed: 7)
    let secrets =
      [IdentityHash.secret, IntegerHash(mask: 0, factor: 0x1234_5678_9ABC_DEF1)]
      + (0..<2).map { _ in IntegerHash(mask: numbers.next(), factor: numbers.next()) }
    for secret in secrets {
      for sequence in sequences {
        let hashes = sequence.map { secret.hash($0) }
        #expect(Set(hashes).count > 4096 - 8)
        #expect(unevenness(hashes) { $0 & 63 } < 160, "pages: \(secret), \(sequence[1])")
        #expect(unevenness(hashes) { $0 >> 26 } < 160, "places: \(secret), \(sequence[1])")
        #expect(unevenness(hashes) { ($0 & 7) << 3 | $0 >> 29 } < 160, "both: \(secret), \(sequence[1])")
      }
    }
  }

  @Test func `What integers are hashed with follows the seed of this run, and has all its bits`() {
    #expect(IdentityHash.secret.mask == IdentityHash.secretWord("mask"))
    #expect(IdentityHash.secret.factor == IdentityHash.secretWord("factor") | 1)
    let upper = UInt64(UInt32(truncatingIfNeeded: "upper mask".hashValue))
    let lower = UInt64(UInt32(truncatingIfNeeded: "lower mask".hashValue))
    #expect(IdentityHash.secret.mask == upper << 32 | lower)
    #expect(IdentityHash.hash(7) == IdentityHash.secret.hash(7))
  }

  @Test func `Integers of 32 and 64 bits are words, and nothing else is`() {
    #expect(IdentityHash.word(-1) == UInt64.max)
    #expect(IdentityHash.word(UInt.max) == UInt64(UInt.max))
    #expect(IdentityHash.word(Int64.min) == 1 << 63)
    #expect(IdentityHash.word(UInt64.max - 1) == UInt64.max - 1)
    #expect(IdentityHash.word(Int32(-1)) == UInt64.max)
    #expect(IdentityHash.word(UInt32.max) == 0xFFFF_FFFF)
    #expect(IdentityHash.word(Int8(1)) == nil)
    #expect(IdentityHash.word("1") == nil)
    #expect(IdentityHash.word(Int?.some(1)) == nil)
    #expect(IdentityHash.word(AnyHashable(1)) == nil)
    #expect(IdentityHash.word(ObjectIdentifier(Self.self)) == nil)
    #expect(IdentityHash.hash("1") == IdentityHash.spread(UInt64(truncatingIfNeeded: "1".hashValue)))
  }

  // What does not know the type of the identities at compile time. In a release build, that is: elsewhere, nobody does.

  @inline(never) @_optimize(none)
  private func items<ID: Hashable>(_ ids: [ID]) -> Entities<Item<ID>> { Entities(ids.map { Item(id: $0) }) }

  @inline(never) @_optimize(none)
  private func offsets<ID: Hashable>(of ids: [ID], in items: Entities<Item<ID>>) -> [Int?] {
    ids.map { items.index(id: $0) }
  }

  @Test func `Integers of every width are found wherever they are asked for`() {
    func check<ID: FixedWidthInteger & Hashable>(_ type: ID.Type) {
      var ids: [ID] = []
      for id in [.min, .max, .max / 2, 0, 1, 2, 77, ID(truncatingIfNeeded: -1)] where !ids.contains(id) {
        ids.append(id)
      }
      #expect(offsets(of: ids, in: items(ids)) == Array(ids.indices))
      #expect(items(ids)[id: 78] == nil)
    }
    check(Int.self)
    check(UInt.self)
    check(Int64.self)
    check(UInt64.self)
    check(Int32.self)
    check(UInt32.self)
    check(Int16.self)
    check(UInt8.self)
  }

  @Test func `Who knows the type finds what others put there, and the other way round`() {
    let ids = (0..<100).map { $0 * 3 }
    let theirs = items(ids)
    #expect(ids.map { theirs.index(id: $0) } == Array(ids.indices))
    #expect(offsets(of: [99, 100, 0], in: Entities(ids.map { Item(id: $0) })) == [33, nil, 0])
    let words = items(ids.map { UInt32($0) })
    #expect(words[id: 297]?.id == 297)
    let texts = items(ids.map { "\($0)" })
    #expect(texts[id: "297"]?.id == "297")
  }
}
