@testable import FlaskPrimitives
import Foundation
import Testing

@testable import FlaskCoding

@Suite struct SubstanceSerializerTests {
  struct Sample: Codable, Equatable, Sendable {
    var zeta = 1
    var alpha = "a/b"
    var numbers: [Double] = []
    var table: [String: Int] = [:]
  }

  @Test func `A state is JSON text with sorted keys`() throws {
    let sample = Sample(numbers: [0.5], table: ["b": 2, "a": 1])
    #expect(
      try SubstanceSerializer.json(from: sample)
        == #"{"alpha":"a/b","numbers":[0.5],"table":{"a":1,"b":2},"zeta":1}"#
    )
  }

  @Test func `The text is a state again`() throws {
    let text = #"{"alpha":"x","numbers":[],"table":{},"zeta":5,"lost":true}"#
    #expect(try SubstanceSerializer.state(Sample.self, from: text) == Sample(zeta: 5, alpha: "x"))
  }

  @Test func `NaN and the infinities come back`() throws {
    let sample = Sample(numbers: [.nan, .infinity, -.infinity, -0.0, .leastNonzeroMagnitude])
    let data = try SubstanceSerializer.data(from: sample)
    #expect(String(decoding: data, as: UTF8.self).contains(#"["NaN","Infinity","-Infinity",-0,5e-324]"#))
    let numbers = try SubstanceSerializer.state(Sample.self, from: data).numbers
    #expect(numbers[0].isNaN)
    #expect(numbers[1] == .infinity)
    #expect(numbers[2] == -.infinity)
    #expect(numbers[3].sign == .minus)
    #expect(numbers[4] == .leastNonzeroMagnitude)
  }

  @Test func `UTF-16 with a byte-order mark is read`() throws {
    let text = #"{"alpha":"é🧪","numbers":[],"table":{},"zeta":5}"#
    let data = try #require(text.data(using: .utf16))
    #expect(try SubstanceSerializer.state(Sample.self, from: data) == Sample(zeta: 5, alpha: "é🧪"))
  }

  @Test func `A state nested 300 levels deep comes back`() throws {
    let text = try SubstanceSerializer.json(from: Chain(length: 300))
    #expect(try SubstanceSerializer.state(Chain.self, from: text).length == 300)
  }

  @Test(arguments: [15, 16, 17, 399, 400])
  func `A state comes back at each depth that is allowed`(length: Int) throws {
    let text = try SubstanceSerializer.json(from: Chain(length: length))
    #expect(try SubstanceSerializer.state(Chain.self, from: text).length == length)
  }

  @Test(arguments: [401, 5_000])
  func `A state nested too deep is an error`(length: Int) {
    #expect(throws: ArchiveError.tooDeep(limit: 400)) {
      try SubstanceSerializer.json(from: Chain(length: length))
    }
  }

  @Test func `A state nested too deep is an error on a small stack too`() async {
    let error = await withCheckedContinuation { continuation in
      let thread = Thread {
        continuation.resume(
          returning: Result { try SubstanceSerializer.json(from: Chain(length: 1_000)) }
        )
      }
      thread.stackSize = 512 << 10
      thread.start()
    }
    #expect(throws: ArchiveError.tooDeep(limit: 400)) { try error.get() }
  }

  @Test func `Containers without content count as levels`() {
    struct Hollow: Encodable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for _ in 0..<5_000 { container = container.nestedUnkeyedContainer() }
      }
    }
    #expect(throws: ArchiveError.tooDeep(limit: 400)) { try SubstanceSerializer.json(from: Hollow()) }
  }

  @Test(arguments: [401, 100_000])
  func `Text nested too deep is an error`(depth: Int) {
    let text = String(repeating: "[", count: depth)
    #expect(throws: ArchiveError.tooDeep(limit: 400)) {
      try SubstanceSerializer.state([Int].self, from: text)
    }
  }

  @Test func `Keyed containers without content count as levels, too`() {
    struct Hollow: Encodable {
      enum Key: CodingKey { case next }

      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        for _ in 0..<5_000 { container = container.nestedContainer(keyedBy: Key.self, forKey: .next) }
      }
    }
    #expect(throws: ArchiveError.tooDeep(limit: 400)) { try SubstanceSerializer.json(from: Hollow()) }
  }

  @Test func `A state is encoded once`() throws {
    let calls = Lock(0)
    struct Counting: Encodable {
      let calls: Lock<Int>

      func encode(to encoder: any Encoder) throws {
        calls.withLock { $0 += 1 }
        var container = encoder.singleValueContainer()
        try container.encode("x")
      }
    }
    let state = ["a": [Counting(calls: calls), Counting(calls: calls)]]
    #expect(try SubstanceSerializer.json(from: state) == #"{"a":["x","x"]}"#)
    #expect(calls.withLock { $0 } == 2)
  }

  /// What JSON's encoder has a form of its own for keeps it, on whatever level it stands.
  @Test func `The text is what JSON's encoder alone would give`() throws {
    struct Everything: Codable {
      enum Choice: Codable { case none, one(URL), two(date: Date, number: Decimal?) }
      class Base: Codable { var base = 1 }
      struct Wide: Codable {
        var (a, b, c, d) = (Int8.min, Int16.min, Int32.min, Int64.min)
        var (e, f, g, h) = (UInt8.max, UInt16.max, UInt32.max, UInt64.max)
        var (flag, text, float, double, none) = (true, "\"\n/é🧪", Float(0.1), 1e300, Int?.none)
        var some: Int? = 3
      }
      struct Hollow: Codable {
        init() {}
        init(from decoder: any Decoder) {}
        func encode(to encoder: any Encoder) {}
      }

      var data = [Data([1, 2, 3])]
      var dates: [String: Date] = ["x": Date(timeIntervalSinceReferenceDate: 0.5)]
      var url: URL? = URL(string: "https://example.org/a?b=c")
      var decimals: [Decimal?] = [Decimal(string: "1.25"), nil]
      var choices: [Choice] = [
        .none, .one(URL(fileURLWithPath: "/x")), .two(date: Date(timeIntervalSince1970: 0), number: 2),
      ]
      var byNumber = [1: ["one"], 2: []]
      var nested = ["a": ["b": [[1, 2], []]]]
      var tuples = [Wide()]
      var base = Base()
      var hollow = [Hollow()]
      var identifier = UUID(uuidString: "A9F2B7C4-0D5E-4F1A-8B3C-2D1E0F9A8B7C")
      var set: Set<String> = ["only"]
      var range = 1..<3
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    #expect(
      try SubstanceSerializer.json(from: Everything())
        == String(decoding: encoder.encode(Everything()), as: UTF8.self)
    )
  }

  @Test func `A value that refuses to be encoded says where`() {
    struct Refusing: Encodable {
      var inner = Inner()
      struct Inner: Encodable {
        func encode(to encoder: any Encoder) throws {
          throw EncodingError.invalidValue(1, .init(codingPath: encoder.codingPath, debugDescription: "no"))
        }
      }
    }
    #expect(throws: ArchiveError.notEncodable(reason: "inner: no")) {
      try SubstanceSerializer.json(from: Refusing())
    }
  }
}
