import Foundation
import Testing

@testable import FlaskArchive

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
