import FlaskDiff
import Testing

@Suite struct ContainerTests {
  struct Item: HidesUnderscored { var name = "a"; var _cache = 0; var act: () -> Void = {} }
  struct Equal: HidesUnderscored, Equatable { var name = "a"; var _cache = 0 }
  struct State {
    var items = ["a": Item()]
    var list = [Item(), Item()]
    var equals = [Equal()]
    var maybe: Equal? = Equal()
    var nested: Int?? = .some(nil)
    var numbered = [1: Item()]
    var slice = [1, 2, 3][1...]
    var packed: ContiguousArray<Item> = [Item()]
    var big = Dictionary(uniqueKeysWithValues: (0..<1_000).map { ("key\($0)", $0) })
  }

  @Test func `containers are compared by content`() {
    let state = State()
    #expect(changedKeys(state) { $0.items["a"]?.name = "b" } == ["items", "items.a", "items.a.name"])
    #expect(changedKeys(state) { $0.list[1].name = "b" } == ["list"])
    #expect(changedKeys(state) { $0.list.removeLast() } == ["list"])
    #expect(changedKeys(state) { $0.equals[0].name = "b" } == ["equals"])
    #expect(changedKeys(state) { $0.numbered[1]?.name = "b" } == ["numbered"])
    #expect(changedKeys(state) { $0.nested = nil } == ["nested"])
    #expect(changedKeys(state) { $0.slice = [2, 3, 4][0...1] } == [])
    #expect(changedKeys(state) { $0.packed[0].name = "b" } == ["packed"])
    #expect(changedKeys(state) { $0.big["key500"] = 0 } == ["big", "big.key500"])
    #expect(changedKeys(state) { $0.big["new"] = 0 } == ["big", "big.new"])
  }

  @Test func `rewritten contents are no change`() {
    let keys = changedKeys(State()) {
      $0.items = $0.items.mapValues { $0 }
      $0.list = $0.list.map { $0 }
      $0.equals = $0.equals.map { $0 }
      $0.numbered = $0.numbered.mapValues { $0 }
      $0.packed = ContiguousArray($0.packed.map { $0 })
      var big: [String: Int] = [:]
      for (key, value) in $0.big.sorted(by: { $0.key > $1.key }) { big[key] = value }
      $0.big = big
    }
    #expect(keys == [])
  }

  @Test func `properties that a type hides do not count inside containers`() {
    let keys = changedKeys(State()) {
      $0.items["a"]?._cache = 1
      $0.list[0]._cache = 1
      $0.equals[0]._cache = 1
      $0.maybe?._cache = 1
      $0.numbered[1]?._cache = 1
    }
    #expect(keys == [])
  }
}
