import Foundation
import Testing

@_spi(Checks) @testable import FlaskArchive

@Suite struct GroupFormatTests {
  private let parts = ["a": Data("first part".utf8), "é🧪": Data(), "b": Data(repeating: 7, count: 100)]

  @Test func `A group gives its parts back`() throws {
    #expect(try GroupFormat.unwrap(GroupFormat.wrap(parts, name: "session"), name: "session") == parts)
    #expect(try GroupFormat.unwrap(GroupFormat.wrap([:], name: ""), name: "") == [:])
  }

  @Test func `The same parts give the same bytes`() {
    let again = Dictionary(uniqueKeysWithValues: parts.sorted { $0.key > $1.key })
    #expect(GroupFormat.wrap(parts, name: "x") == GroupFormat.wrap(again, name: "x"))
  }

  @Test func `Each bit of the head is watched, and none of a part takes the others along`() throws {
    let whole = GroupFormat.wrap(parts, name: "session")
    let bodies = parts.values.reduce(0) { $0 + $1.count }
    var (refused, damaged) = (0, 0)
    for bit in 0..<whole.count * 8 {
      var data = whole
      data[bit / 8] ^= 1 << UInt8(bit % 8)
      guard let found = try? GroupFormat.unwrap(data, name: "session") else {
        refused += 1
        continue
      }
      #expect(found.count == 3)
      #expect(found.filter { parts[$0.key] != $0.value }.count == 1)
      damaged += 1
    }
    #expect(refused == (whole.count - bodies) * 8)
    #expect(damaged == bodies * 8)
  }

  @Test func `Cut off, a group has the parts that are whole`() throws {
    let whole = GroupFormat.wrap(parts, name: "session")
    let found = try GroupFormat.unwrap(whole.dropLast(50), name: "session")
    #expect(found["a"] == parts["a"])
    #expect(found["b"]?.count == 50)
    #expect(throws: ArchiveError.corrupt(reason: "it ends inside its table")) {
      try GroupFormat.unwrap(whole.prefix(60), name: "session")
    }
    #expect(throws: ArchiveError.corrupt(reason: "something follows its last part")) {
      try GroupFormat.unwrap(whole + [0], name: "session")
    }
    #expect(throws: ArchiveError.corrupt(reason: "it was saved under another name")) {
      try GroupFormat.unwrap(whole, name: "other")
    }
  }

  @Test func `A length that no number here has is longer than any bytes`() {
    let data = Data(repeating: 0xFF, count: 12)
    #expect(data.length(UInt64.self, at: 0) == .max)
    #expect(data.length(UInt32.self, at: 8) == Int(exactly: UInt32.max) ?? .max)
  }
}
