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

  @Test func `what is alike except for one character, or for its length, is not found`() {
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

  /// A path of sixteen letters that hashes like another one, made from how the hash is made.
  private func twin(of path: String) -> String {
    let utf8 = Array(path.utf8)
    let target: UInt64 = first(word(utf8[..<8])) ^ word(utf8[8...])
    for number: UInt64 in 0... {
      // Eight letters, others for each number.
      var letters: UInt64 = 0
      for place: UInt64 in (0..<8).reversed() { letters = letters << 8 | (97 + (number >> (place * 4)) & 15) }
      let rest = target ^ first(letters)
      if rest & 0x8080_8080_8080_8080 == 0 {
        return String(decoding: bytes(of: letters) + bytes(of: rest), as: UTF8.self)
      }
    }
    return ""
  }

  private func first(_ word: UInt64) -> UInt64 {
    let hash = word &* 0x9e37_79b9_7f4a_7c15
    return hash ^ (hash >> 32)
  }

  private func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { word, byte in word << 8 | UInt64(byte) }
  }

  private func bytes(of word: UInt64) -> [UInt8] {
    (0..<8).map { place in UInt8(truncatingIfNeeded: word >> UInt64(place * 8)) }
  }

  @Test func `a path that hashes like another one is not taken for it`() {
    let path = "sixteen.letters!"
    let twin = twin(of: path)
    #expect(twin.utf8.count == 16 && twin != path)
    #expect(PathTable([path]).index(of: twin) == nil)
    #expect(PathTable([path, twin]).index(of: twin) == 1)
    #expect(PathTable([path, twin]).index(of: path) == 0)
  }
}
