import FlaskDiff
import Testing

@Suite struct HiddenPropertyTests {
  struct Nest { var foo = 1; var _cache = "a"; var deep = Deep() }
  struct Deep { var x = 1; var _y = 1 }
  struct Money: Equatable { private var _cents = 1; mutating func add() { _cents += 1 } }
  struct State {
    var counter = 0
    var _hidden = "a"
    let _nest = Nest()
    var nest = Nest()
    var money = Money()
    lazy var lazily = counter + 1
    var observed = 0 { didSet { counter += 1 } }
    var computed: Int { counter + 1 }
  }

  @Test func `hidden properties are never reported, at any depth`() {
    let keys = changedKeys(State()) {
      $0._hidden = "b"
      $0.nest._cache = "b"
      $0.nest.deep._y = 2
      _ = $0.lazily
    }
    #expect(keys == [])
  }

  @Test func `only stored, visible properties have keys`() {
    let layout = StateLayout.of(State.self)
    #expect(
      layout.keys == [
        "counter", "nest", "nest.foo", "nest.deep", "nest.deep.x", "money", "observed",
      ]
    )
    #expect(layout.lookup("_hidden") == .unknown)
    #expect(layout.lookup("nest._cache") == .unknown)
    #expect(layout.lookup("computed") == .unknown)
  }

  @Test func `property observers run as ever and their effects are seen`() {
    #expect(changedKeys(State()) { $0.observed = 1 } == ["counter", "observed"])
  }

  @Test func `a struct of hidden properties only is one value`() {
    #expect(changedKeys(State()) { $0.money.add() } == ["money"])
  }

  @Test func `hidden properties are copied although they mark no key`() {
    var old = State()
    var new = State()
    new._hidden = "a hidden text that is too long for sixteen bytes"
    withUnsafeMutablePointer(to: &old) { old in
      withUnsafeMutablePointer(to: &new) { new in
        let layout = StateLayout.of(State.self)
        var changes = ChangeSet()
        layout.compare(old: old, new: new, into: &changes)
        #expect(changes.isEmpty)
        #expect(changes.hasDirty)
        layout.copyDirty(&changes, from: new, to: old)
      }
    }
    #expect(old._hidden == "a hidden text that is too long for sixteen bytes")
  }
}
