import FlaskDiff
import Testing

/// Properties with a wrapper, which are stored as `_name`.
@Suite struct WrappedKeyTests {
  @propertyWrapper struct Clamped {
    private var value = 0
    var wrappedValue: Int {
      get { value }
      set { value = min(newValue, 10) }
    }
  }
  @propertyWrapper struct Tagged<Value> { var wrappedValue: Value; var tag = "t" }
  /// Computes its value from what it hides itself.
  @propertyWrapper struct Scaled: Equatable {
    private var _tenths = 0
    var scale = 10
    init() {}
    var wrappedValue: Int {
      get { _tenths / scale }
      set { _tenths = newValue * scale }
    }
    static func == (a: Scaled, b: Scaled) -> Bool { true }
  }
  struct Helper { var count = 0 }
  /// Hides all that it stores.
  @propertyWrapper struct Closed {
    private var _value = 0
    init() {}
    init(wrappedValue: Int) { _value = wrappedValue }
    var wrappedValue: Int {
      get { _value }
      set { _value = newValue }
    }
  }
  @propertyWrapper struct OverClamped {
    @Clamped var wrappedValue: Int
    init() {}
  }
  @propertyWrapper struct OverCore {
    struct Core { fileprivate var _bits = 0 }
    private var core = Core()
    init() {}
    var wrappedValue: Int {
      get { core._bits }
      set { core._bits = newValue }
    }
  }
  struct Composed {
    @Closed var closed: Int
    @Tagged @Closed var tagged = 0
    @OverClamped var over: Int
    @OverCore var core: Int
  }
  /// Nothing of a user's is run to find out what is hidden.
  struct Trapping: Decodable {
    var _helper = Helper()
    init() {}
    init(from decoder: any Decoder) throws { fatalError("is not decoded") }
  }
  struct Nest { @Tagged var deep = "a"; var n = 1 }
  struct Inner { var foo = 1; var _bar = 1 }
  struct State {
    var counter = 0
    @Clamped var level: Int
    @Tagged var name = "Ada"
    var nest = Nest()
    var _cache = 1
    var cache = 1
    @Scaled var scaled: Int
    @Tagged var inner = Inner()
    @Tagged @Tagged var twice = 1
    let _constant = Helper()
    var _text: String? = nil
    var __helper = Helper()

    static var storage: KeyPath<State, String> { \._name.wrappedValue }
  }

  @Test func `a property with a wrapper is a key like any other`() {
    let layout = StateLayout.ofState(State.self)
    #expect(
      layout.keys == [
        "counter", "level", "name", "nest", "nest.deep", "nest.n", "cache", "scaled", "inner", "inner.foo",
        "inner._bar", "twice", "twice.wrappedValue", "twice.tag",
      ]
    )
    func changed(_ change: (inout State) -> Void) -> [String] { changedKeys(State(), change) }
    #expect(changed { $0.level = 3 } == ["level"])
    #expect(changed { $0.name = "Bea" } == ["name"])
    #expect(changed { $0.nest.deep = "b" } == ["nest", "nest.deep"])
    #expect(changed { $0.scaled = 2 } == ["scaled"])
    #expect(changed { $0.inner.foo = 2 } == ["inner", "inner.foo"])
    #expect(changed { $0.inner._bar = 2 } == ["inner", "inner._bar"])
    // The value of the outer wrapper is the inner one.
    #expect(changed { $0.twice = 2 } == ["twice", "twice.wrappedValue"])
    #expect(
      changed {
        $0._cache = 2; $0._text = "b"; $0.__helper.count = 1
      } == []
    )
    #expect(layout.lookup("text") == .unknown)
    #expect(layout.lookup("_helper") == .unknown)
    #expect(layout.lookup("constant") == .unknown)
  }

  @Test func `its values are those of the property`() {
    var new = State()
    new.level = 3
    new.name = "Bea"
    new.inner.foo = 2
    let changes = StateDiff.changes(from: State(), to: new)
    #expect(changes.keys == ["level", "name", "inner", "inner.foo"])
    #expect(changes.contains(\.level) && changes.contains(\.inner.foo) && !changes.contains(\.counter))
    #expect(changes.oldValue("name") == "Ada")
    #expect(changes.newValue("name") == "Bea")
    #expect(changes.newValue("inner.foo") == 2)
    // Where the wrapper computes its value, the storage is what there is.
    #expect(changes.newValue("level", as: Clamped.self)?.wrappedValue == 3)
    #expect(changes.change(at: \.level)?.new == 3)
  }

  @Test func `it is compared wherever its struct is`() {
    struct Holder {
      var list = [State()]
      var byName = ["a": State()]
      var byNumber = [1: State()]
      var maybe: State? = State()
      var choice = Result<State, Never>.success(State())
      var any: Any = State()
    }
    let changes: [(inout State) -> Void] = [
      { $0.level = 3 }, { $0.name = "Bea" }, { $0.nest.deep = "b" }, { $0.scaled = 2 }, { $0.inner.foo = 2 },
      { $0.twice = 2 },
    ]
    for change in changes {
      var other = State()
      change(&other)
      #expect(!StateDiff.areEqual(State(), other))
      let keys = changedKeys(Holder()) {
        $0.list[0] = other
        $0.byName["a"] = other
        $0.byNumber[1] = other
        $0.maybe = other
        $0.choice = .success(other)
        $0.any = other
      }
      #expect(
        keys.filter { ["list", "byName", "byNumber", "maybe", "choice", "any"].contains($0) }.count == 6
      )
    }
    let layout = StateLayout.ofState(Holder.self)
    #expect(layout.lookup("byName.a.level") == .nested(under: 1, rest: "a.level"))
    #expect(layout.lookup("maybe.inner.foo") == .nested(under: 3, rest: "inner.foo"))
  }

  @Test func `wrappers of wrappers are compared, also where they hide all`() {
    struct Holder {
      var one = Composed()
      var list = [Composed()]
      var table = ["a": Composed()]
    }
    let changes: [(key: String, change: (inout Composed) -> Void)] = [
      ("closed", { $0.closed = 3 }), ("tagged", { $0.tagged = 3 }), ("over", { $0.over = 3 }),
      ("core", { $0.core = 3 }),
    ]
    for (key, change) in changes {
      #expect(changedKeys(Composed(), change) == [key])
      let keys = changedKeys(Holder()) { holder in
        change(&holder.one)
        change(&holder.list[0])
        var entry = Composed()
        change(&entry)
        holder.table["a"] = entry
      }
      #expect(keys == ["one", "one.\(key)", "list", "table", "table.a", "table.a.\(key)"])
    }
  }

  @Test func `nothing is decoded to find out what is hidden`() {
    #expect(changedKeys(Trapping()) { $0._helper.count = 1 } == ["helper"])
  }

  @Test func `in doubt it is compared`() {
    struct Doubtful { var _helper = Helper() }
    #expect(changedKeys(Doubtful()) { $0._helper.count = 1 } == ["helper"])
  }

  @Test func `a key path into the wrapper does not lead to the property`() {
    let layout = StateLayout.ofState(State.self)
    #expect(layout.index(of: State.storage) == nil)
    #expect(layout.index(of: \State.counter) == 0)
  }
}
