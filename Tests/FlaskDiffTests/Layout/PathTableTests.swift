import Testing

@testable import FlaskDiff

@Suite struct PathTableTests {
  /// Paths of every length, alike but for one character at each place.
  private static let paths: [String] = (1...40).flatMap { length in
    (0..<length).map { place in
      String(repeating: "x", count: place) + "y" + String(repeating: "x", count: length - place - 1)
    }
  }

  @Test func `each path is found by its number, whatever its length`() {
    let table = PathTable(Self.paths)
    for (number, path) in Self.paths.enumerated() { #expect(table.index(of: path) == number) }
  }

  @Test func `what is alike but for one character, or for its length, is not found`() {
    let table = PathTable(Self.paths)
    for path in Self.paths {
      #expect(table.index(of: path.replacing("y", with: "z")) == nil)
      #expect(table.index(of: path.replacing("x", with: "z")) == (path == "y" ? 0 : nil))
      #expect(table.index(of: path + path) == nil)
    }
    #expect(table.index(of: "") == nil)
    #expect(PathTable([""]).index(of: "") == 0)
    #expect(PathTable([]).index(of: "x") == nil)
  }

  @Test func `the longest beginning that ends at a dot is found`() {
    let table = PathTable(["a", "a.long name of eight and more", "a.b"])
    #expect(table.longestPrefix(of: "a.long name of eight and more.x")! == (1, 29))
    #expect(table.longestPrefix(of: "a.b.c.d")! == (2, 3))
    #expect(table.longestPrefix(of: "a.c.b")! == (0, 1))
    #expect(table.longestPrefix(of: "b.a") == nil)
  }

  @Test func `strings that are not stored as one piece of UTF-8 are found too`() {
    let table = PathTable(["größe", "größe.größe"])
    let bridged = ["gr", "ö", "ß", "e"].joined()
    #expect(table.index(of: bridged) == 0)
    #expect(table.index(of: bridged + "." + bridged) == 1)
  }
}
