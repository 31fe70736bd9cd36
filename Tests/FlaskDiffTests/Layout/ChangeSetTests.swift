import FlaskDiff
import Testing

@Suite struct ChangeSetTests {
  private func keys(_ set: ChangeSet) -> [Int] {
    var keys: [Int] = []
    set.forEachKey { keys.append($0) }
    return keys
  }

  @Test func `keys come out in ascending order`() {
    var set = ChangeSet()
    for key in [700, 64, 3, 63, 0] { set.insert(key) }
    #expect(keys(set) == [0, 3, 63, 64, 700])
    #expect(set.contains(64))
    #expect(!set.contains(65))
    #expect(!set.contains(5_000))
    #expect(!set.contains(-1))
  }

  @Test func `a union has the keys of both`() {
    var a = ChangeSet()
    var b = ChangeSet()
    a.insert(1)
    b.insert(2)
    b.insert(100)
    a.formUnion(b)
    #expect(keys(a) == [1, 2, 100])
  }

  @Test func `a cleared set is empty`() {
    var set = ChangeSet()
    set.insert(1)
    set.insert(100)
    set.removeAll()
    #expect(set.isEmpty)
    #expect(keys(set) == [])
    set.insert(101)
    #expect(keys(set) == [101])
  }
}
