import FlaskEntities
import Foundation
import Testing

@_spi(Checks) @testable import FlaskArchive
import TestSupport

/// What the standard library and Foundation can encode comes back from an archive as it was, or is refused.
@Suite struct OddValueTests {
  struct Holder<Value: Codable & Equatable & Sendable>: Codable, Equatable, Sendable {
    var value: Value
    var list: [Value]
    var byName: [String: Value]
    var maybe: Value?
  }

  /// A kind of values, and how they come back.
  struct Kind: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let failures: @Sendable () throws -> [String]

    init<Value: Codable & Equatable & Sendable>(_ values: Value...) {
      testDescription = "\(Value.self)"
      failures = {
        try values.compactMap { value in
          let holder = Holder(value: value, list: [value, value], byName: ["a": value], maybe: value)
          let shape = ArchiveShape(initial: holder)
          let bytes = try shape.encode(holder, for: "odd")
          let back = try shape.decode(bytes, for: "odd").state
          if back != holder { return "\(value) came back as \(back.value)" }
          let alone = ArchiveShape(initial: value)
          let single = try alone.decode(try alone.encode(value, for: "odd"), for: "odd").state
          return single == value ? nil : "\(value), alone, came back as \(single)"
        }
      }
    }
  }

  static let wide: [Kind] = [
    Kind(Int128.min, -1, 0, .max), Kind(UInt128.min, .max), Kind(Int64.min, .max), Kind(UInt64.max),
    Kind(Int.min, .max), Kind(Int8.min), Kind(UInt8.max), Kind(Int16.min), Kind(UInt32.max),
    Kind(Double.leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity, -.infinity, -0.0, 0.1, 1e300),
    Kind(Float.leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity, -.infinity, 0.1, 16_777_216),
    Kind(
      Decimal.greatestFiniteMagnitude,
      .leastNonzeroMagnitude,
      Decimal(string: "0.1") ?? 0,
      Decimal(string: "12345678901234567890.123456789") ?? 0
    ),
  ]
  static let texts: [Kind] = [
    Kind("", "\u{0}", "\u{1F}\u{7F}\u{2028}", "é", "e\u{301}", "👩‍👩‍👧‍👦", "\"\\/", "\u{10FFFF}"),
    Kind(Character("é") == "é"), Kind(Data(), Data([0, 255])),
    Kind(UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 255))),
    Kind(URL(string: "https://a.b/c?d=e%20f#g")), Kind(URL(filePath: "/tmp/a b")),
  ]
  static let times: [Kind] = [
    Kind(Date.distantPast, .distantFuture, Date(timeIntervalSinceReferenceDate: 0.1)),
    Kind(Duration.zero, .nanoseconds(-1), .seconds(Int64.max / 2)),
    Kind(DateInterval(start: .distantPast, duration: 5)), Kind(DateComponents(year: 2026, month: 11)),
    Kind(TimeZone(identifier: "Europe/Berlin")), Kind(Locale(identifier: "de_DE")),
    Kind(Calendar(identifier: .gregorian)),
    Kind(Measurement(value: 1.5, unit: UnitLength.meters)),
  ]
  static let groups: [Kind] = [
    Kind(Set([1, 2, 3])), Kind([1: "a", 2: "b"]), Kind([UUID(): 1]), Kind([true: 1]), Kind([[1], []]),
    Kind(ContiguousArray([1, 2])), Kind(0..<5), Kind(0...5),
    Kind(SIMD4<Float>(1, 2, 3, 4)), Kind(IndexSet([1, 5, 6])), Kind(IndexPath(indexes: [1, 2])),
    Kind(CharacterSet(charactersIn: "abc")), Kind(CGPoint(x: 0.1, y: -1)),
    Kind(CGRect(x: 1, y: 2, width: 3, height: 4)),
    Kind(PersonNameComponents(givenName: "Ada", familyName: "L")),
    Kind([1, 2, 3].difference(from: [1, 3])),
  ]

  @Test(arguments: wide + texts + times + groups) func `It comes back as it was`(kind: Kind) throws {
    #expect(try kind.failures() == [])
  }

  @Test func `What is not a number is refused, and the archive stays as it is`() throws {
    let archive = MemoryArchive()
    let faults = Recorder<ArchiveFault>()
    let state = StateBoxOfDecimal()
    let archiver = StateArchiver(
      key: "prices",
      owner: "test",
      in: archive,
      as: ArchiveShape(initial: [String: Decimal]()),
      onFault: { faults.append($0) },
      snapshot: { state.value }
    )
    state.value = ["sum": 5]
    archiver.stateChanged()
    try archiver.archiveNow()
    let before = archive.load("prices")
    state.value = ["sum": 5, "average": .nan]
    archiver.stateChanged()
    #expect(throws: ArchiveError.notEncodable(reason: "average: JSON has no Decimal.nan")) {
      try archiver.archiveNow()
    }
    #expect(archive.load("prices") == before)
    #expect(faults.all.count == 1)
    #expect(throws: ArchiveError.notEncodable(reason: "0: JSON has no Decimal.nan")) {
      try SubstanceSerializer.data(from: [Decimal.nan])
    }
    #expect(throws: ArchiveError.notEncodable(reason: "JSON has no Decimal.nan")) {
      try SubstanceSerializer.data(from: Decimal.nan)
    }
  }
}

private final class StateBoxOfDecimal: @unchecked Sendable {
  // Used by one thread at a time: the archiver is called and awaited.
  var value: [String: Decimal] = [:]
}
