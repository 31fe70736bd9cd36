import FlaskDiff
import Foundation
import Testing

@Suite struct LeafTests {
  struct State {
    var int = 1
    var flag = false
    var small: Int8 = 1
    var text = "a"
    var long = "a text that is too long to stay in its sixteen bytes"
    var number = 1.0
    var half: Float = 1
    var list = [1, 2]
    var set: Set<String> = ["a"]
    var tuple = (1, "a")
    var date = Date(timeIntervalSince1970: 0)
    var url: URL? = URL(string: "https://example.com")
    var id = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
    var data = Data([1, 2])
    var amount: Decimal = 1
    var letter: Character = "a"
    var range = 0..<3
    var type: Any.Type = Int.self
  }

  @Test func `each leaf is reported by itself`() {
    let state = State()
    #expect(changedKeys(state) { $0.int = 2 } == ["int"])
    #expect(changedKeys(state) { $0.flag = true } == ["flag"])
    #expect(changedKeys(state) { $0.small = 2 } == ["small"])
    #expect(changedKeys(state) { $0.text = "b" } == ["text"])
    #expect(changedKeys(state) { $0.long += "!" } == ["long"])
    #expect(changedKeys(state) { $0.number = 2 } == ["number"])
    #expect(changedKeys(state) { $0.half = 2 } == ["half"])
    #expect(changedKeys(state) { $0.list[1] = 3 } == ["list"])
    #expect(changedKeys(state) { $0.set.insert("b") } == ["set"])
    #expect(changedKeys(state) { $0.tuple.1 = "b" } == ["tuple"])
    #expect(changedKeys(state) { $0.date = Date(timeIntervalSince1970: 1) } == ["date"])
    #expect(changedKeys(state) { $0.url = nil } == ["url"])
    #expect(changedKeys(state) { $0.id = nil } == ["id"])
    #expect(changedKeys(state) { $0.data.append(3) } == ["data"])
    #expect(changedKeys(state) { $0.amount = 2 } == ["amount"])
    #expect(changedKeys(state) { $0.letter = "b" } == ["letter"])
    #expect(changedKeys(state) { $0.range = 0..<4 } == ["range"])
    #expect(changedKeys(state) { $0.type = String.self } == ["type"])
  }

  @Test func `equal contents in other storage are no change`() {
    let keys = changedKeys(State()) {
      $0.long = ["a text that is too long to stay", "in its sixteen bytes"].joined(separator: " ")
      $0.list = [1] + [2]
      $0.set = Set(["b", "a"].filter { $0 == "a" })
      $0.data = Data([1]) + Data([2])
      $0.url = URL(string: "https://" + "example.com")
      $0.tuple = (1, String(["a"]))
    }
    #expect(keys == [])
  }

  @Test func `a tuple with contents in other storage is no change`() {
    struct Pair { var pair = (1, ["a text that does not fit into sixteen bytes"]) }
    #expect(changedKeys(Pair()) { $0.pair.1 = $0.pair.1.map { $0 + "" } } == [])
    #expect(changedKeys(Pair()) { $0.pair.1.append("b") } == ["pair"])
  }

  @Test func `a value without properties has one nameless key`() {
    #expect(StateDiff.changes(from: 1, to: 2).keys == [""])
    #expect(StateDiff.changes(from: 1, to: 1).isEmpty)
    #expect(StateDiff.changes(from: ["a": 1, "b": 1], to: ["a": 2, "b": 1]).keys == ["a"])
  }

  @Test func `garbage in padding is no change`() {
    struct Padded { var flag = true; var number = 1; var last = false }
    let size = MemoryLayout<Padded>.size
    let a = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    let b = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    defer {
      a.deallocate()
      b.deallocate()
    }
    a.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    b.initializeMemory(as: UInt8.self, repeating: 0xff, count: size)
    for memory in [a, b] {
      memory.storeBytes(of: true, as: Bool.self)
      memory.storeBytes(of: 7, toByteOffset: 8, as: Int.self)
      memory.storeBytes(of: false, toByteOffset: 16, as: Bool.self)
    }
    let layout = StateLayout.of(Padded.self)
    var changes = ChangeSet()
    layout.compare(old: a, new: b, into: &changes)
    #expect(changes.isEmpty)
    #expect(!changes.hasDirty)
  }
}
