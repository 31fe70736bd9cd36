import FlaskDiff
import Testing

@Suite struct HiddenPropertyTests {
  struct Nest: Equatable { var foo = 1; var _cache = "a"; var deep = Deep() }
  struct Deep: Equatable { var x = 1; var _y = 1; lazy var lazily = x + 1 }
  struct Hiding: HidesUnderscored, Equatable { var foo = 1; var _cache = "a" }
  struct HidingAll: HidesUnderscored, Equatable { var _cache = "a" }
  struct Money: Equatable { private var _cents = 1; mutating func add() { _cents += 1 } }
  /// Its `==` ignores the unit.
  struct Price: Equatable {
    private var _unit = Deep()
    private var _cents = 0
    mutating func changeUnit() { _unit._y += 1 }
    mutating func add() { _cents += 1 }
    static func == (a: Price, b: Price) -> Bool { a._cents == b._cents }
  }
  struct State {
    var counter = 0
    var _hidden = "a"
    let _nest = Nest()
    var nest = Nest()
    var hiding = Hiding()
    var hidingAll = HidingAll()
    var money = Money()
    var price = Price()
    lazy var lazily = counter + 1
    var observed = 0 { didSet { counter += 1 } }
    var computed: Int { counter + 1 }
  }

  @Test func `properties are hidden at the top level and in types that say so`() {
    let keys = changedKeys(State()) {
      $0._hidden = "b"
      $0.hiding._cache = "b"
      $0.hidingAll._cache = "b"
      _ = $0.lazily
    }
    #expect(keys == [])
    #expect(
      StateDiff.areEqual(
        State(),
        {
          var state = State(); state._hidden = "b"; return state
        }()
      )
    )
  }

  @Test func `nothing else is hidden, at any depth`() {
    #expect(changedKeys(State()) { $0.nest._cache = "b" } == ["nest", "nest._cache"])
    #expect(changedKeys(State()) { $0.nest.deep._y = 2 } == ["nest", "nest.deep", "nest.deep._y"])
    #expect(changedKeys(State()) { _ = $0.nest.deep.lazily } == ["nest", "nest.deep", "nest.deep.lazily"])
    #expect(changedKeys(State()) { $0.money.add() } == ["money"])
    #expect(changedKeys(State()) { $0.price.add() }.first == "price")
    #expect(changedKeys(State()) { $0.price.changeUnit() }.first == "price")
    #expect(changedKeys(State()) { $0.hiding.foo = 2 } == ["hiding", "hiding.foo"])
  }

  @Test func `nothing is hidden in containers`() {
    struct Holder {
      var list = [Nest()]
      var table = ["a": Nest()]
      var maybe: Nest? = Nest()
      var choice = Result<Nest, Never>.success(Nest())
      var any: Any = Nest()
      var pair = (1, Nest())
      var hiding = [Hiding()]
    }
    var nest = Nest()
    nest._cache = "b"
    #expect(changedKeys(Holder()) { $0.list[0] = nest } == ["list"])
    #expect(changedKeys(Holder()) { $0.table["a"] = nest } == ["table", "table.a", "table.a._cache"])
    #expect(changedKeys(Holder()) { $0.maybe = nest } == ["maybe", "maybe._cache"])
    #expect(changedKeys(Holder()) { $0.choice = .success(nest) } == ["choice"])
    #expect(changedKeys(Holder()) { $0.any = nest } == ["any", "any._cache"])
    #expect(changedKeys(Holder()) { $0.pair.1 = nest } == ["pair"])
    #expect(changedKeys(Holder()) { $0.hiding[0]._cache = "b" } == [])
  }

  @Test func `only stored properties have keys`() {
    let layout = StateLayout.ofState(State.self)
    #expect(
      layout.keys.filter { !$0.hasPrefix("price.") } == [
        "counter", "nest", "nest.foo", "nest._cache", "nest.deep", "nest.deep.x", "nest.deep._y",
        "nest.deep.lazily", "hiding", "hiding.foo", "hidingAll", "money", "price", "observed",
      ]
    )
    #expect(layout.lookup("_hidden") == .unknown)
    #expect(layout.lookup("hiding._cache") == .unknown)
    #expect(layout.lookup("computed") == .unknown)
  }

  @Test func `a plain value hides nothing`() {
    #expect(StateLayout.of(State.self).keys.contains("_hidden"))
    #expect(StateLayout.of(Nest.self) !== StateLayout.ofState(Nest.self))
    #expect(StateLayout.of(Hiding.self) === StateLayout.ofState(Hiding.self))
    #expect(StateLayout.of(Money.self) === StateLayout.ofState(Money.self))
    #expect(
      !StateDiff.areEqual(
        Money(),
        {
          var money = Money(); money.add(); return money
        }()
      )
    )
  }

  @Test func `a key path is hidden where its property is`() {
    let layout = StateLayout.ofState(State.self)
    #expect(layout.isHidden(\State._hidden))
    #expect(layout.isHidden(\State._hidden.count))
    #expect(layout.isHidden(\State._nest.foo))
    #expect(layout.isHidden(\State.hiding._cache))
    #expect(!layout.isHidden(\State.nest._cache))
    #expect(!layout.isHidden(\State.nest.deep._y))
    #expect(!layout.isHidden(\State.computed))
    #expect(!StateLayout.of(State.self).isHidden(\State._hidden))
  }

  @Test func `property observers run as ever and their effects are seen`() {
    #expect(changedKeys(State()) { $0.observed = 1 } == ["counter", "observed"])
  }

  @Test func `hidden properties are copied although they mark no key`() {
    var old = State()
    var new = State()
    new._hidden = "a hidden text that is too long for sixteen bytes"
    withUnsafeMutablePointer(to: &old) { old in
      withUnsafeMutablePointer(to: &new) { new in
        let layout = StateLayout.ofState(State.self)
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
