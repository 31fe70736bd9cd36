import Testing

@testable import FlaskDiff

@Suite struct KeyTableTests {
  private struct Inner {
    var first = 1
    var nothing: Void = ()
    var second = "two"
  }

  private struct Outer {
    var inner = Inner()
    var flag = false
    var tiny: UInt8 = 1
    var next: UInt8 = 2
    var größe = 3
    var aNameOfMoreThanFifteenLetters = 4
    var _hidden = 5
  }

  private struct Other { var inner = Inner() }

  private let layout = StateLayout.ofState(Outer.self)

  @Test func `a key is found by its offset and its type`() {
    func path(_ offset: Int?, _ type: Any.Type, of state: Any.Type = Outer.self) -> String? {
      let key = layout.key(of: state, offset: offset ?? -1, type: type)
      return key < 0 ? nil : layout.path(of: key)
    }
    #expect(path(MemoryLayout<Outer>.offset(of: \.inner), Inner.self) == "inner")
    #expect(path(MemoryLayout<Outer>.offset(of: \.inner.first), Int.self) == "inner.first")
    #expect(path(MemoryLayout<Outer>.offset(of: \.inner.second), String.self) == "inner.second")
    #expect(path(MemoryLayout<Outer>.offset(of: \.flag), Bool.self) == "flag")
    #expect(path(MemoryLayout<Outer>.offset(of: \.tiny), UInt8.self) == "tiny")
    #expect(path(MemoryLayout<Outer>.offset(of: \.next), UInt8.self) == "next")
    #expect(
      path(MemoryLayout<Outer>.offset(of: \.aNameOfMoreThanFifteenLetters), Int.self)
        == "aNameOfMoreThanFifteenLetters"
    )
    #expect(path(MemoryLayout<Outer>.offset(of: \._hidden), Int.self) == nil)
    #expect(path(MemoryLayout<Outer>.offset(of: \.flag), UInt8.self) == nil)
    #expect(path(0, Inner.self, of: Other.self) == nil)
    #expect(path(1, UInt8.self) == nil)
  }

  @Test func `a key is found by its name, whatever its length and however the string is stored`() {
    for name in ["inner", "inner.first", "inner.second", "flag", "größe", "aNameOfMoreThanFifteenLetters"] {
      var elsewhere = name
      elsewhere.reserveCapacity(200)
      let key = layout.key(at: name)
      #expect(key >= 0)
      #expect(layout.path(of: key) == name)
      #expect(layout.key(at: elsewhere) == key)
      #expect(layout.key(at: name.map { String($0) }.joined()) == key)
    }
  }

  @Test func `what is no name of a key is not found`() {
    for name in [
      "", "i", "inne", "innes", "inner.", "inner.third", "_hidden", "aNameOfMoreThanFifteenLetter", "grosse",
    ] {
      #expect(layout.key(at: name) == -1)
    }
  }

  @Test func `many short names are distinguished`() {
    let names = (0..<500).map { "k\($0)" }
    let table = ShortPathTable(names)
    for (number, name) in names.enumerated() {
      #expect(table.key(of: name) == (ShortPathTable.isUsable ? number : -1))
    }
    #expect(table.key(of: "k500") == -1)
    #expect(ShortPathTable([]).key(of: "k0") == -1)
  }

  @Test func `a name whose bytes lie elsewhere is not among the short ones`() {
    let long = String(repeating: "long", count: 9)
    #expect(ShortPathTable(["k", long]).key(of: long) == -1)
    #expect(ShortPathTable(["k", long]).key(of: "k") == 0)
  }

  @Test func `many names that begin alike are distinguished`() {
    let names = (100..<600).map { "position\($0)" }
    let table = ShortPathTable(names)
    for (number, name) in names.enumerated() { #expect(table.key(of: name) == number) }
    for number in 600..<1_000 { #expect(table.key(of: "position\(number)") == -1) }
  }
}
