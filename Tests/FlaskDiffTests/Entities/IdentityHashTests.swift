import Testing

@testable import FlaskDiff

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
    return (0..<52).map { bits in numbers.map { $0 << UInt64(bits) } }
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

  @Test func `Regular sequences of integers are spread over pages and places as by chance`() {
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

  @Test func `A hash of an integer is not known without the secret of this run`() {
    let other = IntegerHash(mask: 1, factor: 3)
    #expect((0..<64).contains { IdentityHash.secret.hash($0) != other.hash($0) })
    #expect(IdentityHash.hash(7) == IdentityHash.secret.hash(7))
  }

  /// What does not know the type of the identities at compile time.
  @inline(never) @_optimize(none)
  private func offsets<ID: Hashable>(of ids: [ID], in items: Entities<Item<ID>>) -> [Int?] {
    ids.map { items.index(id: $0) }
  }

  @Test func `Integers of every width are found wherever they are asked for`() {
    func check<ID: FixedWidthInteger & Hashable>(_ type: ID.Type) {
      let ids = [.min, .max, .max / 2, 0, 1, 2, 77] + (ID.isSigned ? [ID(truncatingIfNeeded: -1)] : [])
      var distinct: [ID] = []
      for id in ids where !distinct.contains(id) { distinct.append(id) }
      let items = Entities(distinct.map { Item(id: $0) })
      #expect(offsets(of: distinct, in: items) == Array(distinct.indices))
      #expect(items[id: 78] == nil)
    }
    check(Int.self)
    check(UInt.self)
    check(Int64.self)
    check(UInt64.self)
    check(Int32.self)
    check(UInt32.self)
    check(Int16.self)
    check(UInt8.self)
    // Where the compiler knows the type, and made by who does not.
    let items = Entities((0..<100).map { Item(id: $0 * 3) })
    #expect(items[id: 99]?.id == 99)
    #expect(offsets(of: [99, 100, 0], in: items) == [33, nil, 0])
  }
}
