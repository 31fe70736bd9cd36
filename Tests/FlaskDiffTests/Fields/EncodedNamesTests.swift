import Testing

@testable import FlaskDiff

/// The names under which a value encodes its properties.
@Suite struct EncodedNamesTests {
  struct Level: Codable {
    var level = 1
    var _cache = 0
    init() {}
    init(from decoder: any Decoder) throws { level = try decoder.singleValueContainer().decode(Int.self) }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(level)
    }
  }
  struct There: Encodable {
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(Back())
    }
  }
  struct Back: Encodable {
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(There())
    }
  }
  struct Halfway: Encodable {
    struct Failure: Error {}
    enum Key: CodingKey { case a, b }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(1, forKey: .a)
      throw Failure()
    }
  }
  struct Plain: Encodable {
    var first = 1
    var second: [Int] = []
  }
  struct Instead: Encodable {
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(Plain())
    }
  }

  @Test func `those of a struct, and of what is encoded in place of it`() {
    #expect(EncodedShape.names(of: Plain()) == ["first", "second"])
    #expect(EncodedShape.names(of: Instead()) == ["first", "second"])
  }

  @Test func `a number in place of a struct, and types in place of each other, come to an end`() {
    #expect(EncodedShape.names(of: Level()) == [])
    #expect(EncodedShape.names(of: 1) == [])
    #expect(EncodedShape.names(of: There()) == [])
  }

  @Test func `before an error those are known that came first`() {
    #expect(EncodedShape.names(of: Halfway()) == ["a"])
  }
}
