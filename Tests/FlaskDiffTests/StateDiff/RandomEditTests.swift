import FlaskDiff
import Testing

@Suite struct RandomEditTests {
  /// A small linear congruential generator, so that a failure can be repeated.
  struct Generator: RandomNumberGenerator {
    var seed: UInt64
    mutating func next() -> UInt64 {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return seed ^ (seed >> 29)
    }
  }
  enum Phase: Equatable { case idle, busy(Int), failed(String, [Int]) }
  struct Inner: Equatable { var flag = false; var small: UInt16 = 0; var text = "" }
  struct Rich: Equatable {
    var a: UInt8 = 0
    var inner = Inner()
    var b: Int32 = 0
    var text = ""
    var list: [String] = []
    var table: [String: Int] = [:]
    var maybe: Int?
    var maybeText: String?
    var phase = Phase.idle
    var second = Inner()
    var c: Bool = false
    var number = 0.0
    var tail: UInt8 = 0
  }

  private func edit(_ state: inout Rich, _ random: inout Generator) {
    let small = Int.random(in: 0..<2, using: &random)
    let text = ["", "a", "a text that does not fit into sixteen bytes"].randomElement(using: &random) ?? ""
    switch Int.random(in: 0..<17, using: &random) {
    case 0: state.a = UInt8(small)
    case 1: state.inner.flag = small == 0
    case 2: state.inner.small = UInt16(small)
    case 3: state.inner.text = text
    case 4: state.b = Int32(small)
    case 5: state.text = text + ""
    case 6: state.list = Array(repeating: text, count: small)
    case 7: state.table[text] = small
    case 8: state.table[text] = nil
    case 9: state.maybe = small == 0 ? nil : small
    case 10: state.maybeText = small == 0 ? nil : text
    case 11:
      state.phase = [.idle, .busy(small), .failed(text, [small])].randomElement(using: &random) ?? .idle
    case 12: state.second.flag = small == 0
    case 13: state.second.text = text
    case 14: state.c = small == 0
    case 15: state.number = Double(small)
    default: state.tail = UInt8(small)
    }
  }

  private func expectedKeys(_ a: Rich, _ b: Rich) -> [String] {
    var keys: [String] = []
    func note(_ key: String, _ isSame: Bool) { if !isSame { keys.append(key) } }
    func note(_ key: String, _ a: Inner, _ b: Inner) {
      note(key, a == b)
      note(key + ".flag", a.flag == b.flag)
      note(key + ".small", a.small == b.small)
      note(key + ".text", a.text == b.text)
    }
    note("a", a.a == b.a)
    note("inner", a.inner, b.inner)
    note("b", a.b == b.b)
    note("text", a.text == b.text)
    note("list", a.list == b.list)
    note("table", a.table == b.table)
    for key in Set(a.table.keys).union(b.table.keys).sorted() {
      note("table." + key, a.table[key] == b.table[key])
    }
    note("maybe", a.maybe == b.maybe)
    note("maybeText", a.maybeText == b.maybeText)
    note("phase", a.phase == b.phase)
    note("second", a.second, b.second)
    note("c", a.c == b.c)
    note("number", a.number == b.number)
    note("tail", a.tail == b.tail)
    return keys
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `random edits are found as by comparing every property`(seed: UInt64) {
    var random = Generator(seed: seed)
    var old = Rich()
    for _ in 0..<1_000 {
      var new = old
      for _ in 0..<Int.random(in: 0..<5, using: &random) { edit(&new, &random) }
      #expect(StateDiff.changes(from: old, to: new).keys == expectedKeys(old, new))
      copyDirty(from: new, to: &old)
      #expect(old == new)
    }
  }

  private func copyDirty(from new: Rich, to old: inout Rich) {
    withUnsafeMutablePointer(to: &old) { old in
      withUnsafePointer(to: new) { new in
        let layout = StateLayout.of(Rich.self)
        var changes = ChangeSet()
        layout.compare(old: old, new: new, into: &changes)
        layout.copyDirty(&changes, from: new, to: old)
      }
    }
  }
}
