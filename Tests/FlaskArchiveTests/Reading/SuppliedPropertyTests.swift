import FlaskCore
import FlaskEntities
import Foundation
import Testing

@_spi(Checks) @testable import FlaskArchive

extension AddedPropertyTests {
  // MARK: What must not be supplied

  struct Circle: FlaskState, Equatable { var radius = 1.0 }
  struct Rect: FlaskState, Equatable { var w = 2.0, h = 3.0 }

  /// A union without a tag: what fits is it.
  enum Shape: Codable, Sendable, Equatable {
    case circle(Circle), rect(Rect)
    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let circle = try? container.decode(Circle.self) {
        self = .circle(circle)
      } else {
        self = .rect(try container.decode(Rect.self))
      }
    }
    func encode(to encoder: any Encoder) throws {
      switch self {
      case .circle(let circle): try circle.encode(to: encoder)
      case .rect(let rect): try rect.encode(to: encoder)
      }
    }
  }

  @Test func `what distinguishes a type is not supplied`() throws {
    let text = #"[{"w":7,"h":8},{"radius":9}]"#
    try expect(
      [Shape.rect(Rect(w: 7, h: 8)), .circle(Circle(radius: 9))],
      text,
      initially: [.circle(Circle())]
    )
    // It may be a circle that lacks its radius, or a rectangle that lacks its height.
    let error = #expect(throws: ArchiveError.self) { try read([Shape].self, #"[{"w":7}]"#, initially: []) }
    #expect(
      error
        == .doesNotFit(
          reason: """
            content.Index 0.h: it is missing, and no initial value of it is known from Rect: raise the version of the \
            archive, and put it in by the migration
            """
        )
    )
  }

  @Test func `what a type reads without, it reads without`() throws {
    struct Tolerant: FlaskState, Equatable {
      var x = 7, y = 8
      init() {}
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        x = (try? container.decode(Int.self, forKey: .x)) ?? -1
        y = try container.decode(Int.self, forKey: .y)
      }
    }
    var expected = Tolerant()
    expected.x = -1
    try expect([expected], #"[{}]"#, initially: [])
  }

  @Test func `an initial value that is another one each time is so for each element`() throws {
    struct Item: FlaskState, Identifiable, Equatable { var id = UUID(), name = "" }
    let items = try read(Entities<Item>.self, #"[{"name":"a"},{"name":"b"},{}]"#, initially: [])
    #expect(items.map(\.name) == ["a", "b", ""])
  }

  @Test func `numbers of 128 bits are there, and supplied`() throws {
    struct Wide: FlaskState, Equatable { var a: Int128 = 5, b: UInt128 = 6, list: [Int128] = [1], c = 1 }
    try expect([Wide()], #"[{"a":5,"list":[1]}]"#, initially: [])
  }

  @Test func `the type's own value counts if the initial state has another type there`() throws {
    struct A: FlaskState, Equatable { var size = "big" }
    struct B: FlaskState, Equatable { var w = 3, size = 5 }
    enum Tagged: Codable, Sendable, Equatable {
      case a(A), b(B)
      enum CodingKeys: CodingKey { case type, v }
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let isA = try container.decode(String.self, forKey: .type) == "a"
        self =
          isA ? .a(try container.decode(A.self, forKey: .v)) : .b(try container.decode(B.self, forKey: .v))
      }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .a(let a): try (container.encode("a", forKey: .type), container.encode(a, forKey: .v)).1
        case .b(let b): try (container.encode("b", forKey: .type), container.encode(b, forKey: .v)).1
        }
      }
    }
    try expect(Tagged.b(B(w: 3, size: 5)), #"{"type":"b","v":{"w":3}}"#, initially: .a(A()))
  }

  @Test func `nothing is asked for in vain where a key may be nil`() throws {
    struct Bare: FlaskState, Equatable {
      var b: Int? = 4
      init() {}
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        b = try container.decodeNil(forKey: .b) ? nil : container.decode(Int.self, forKey: .b)
      }
    }
    try expect([Bare()], "[{}]", initially: [])
  }
}
