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
  struct Nest { @Tagged var deep = "a"; var n = 1 }
  struct State<Marker> {
    var counter = 0
    @Clamped var level: Int
    @Tagged var name = "Ada"
    var nest = Nest()
    var _cache = 1
    var cache = 1

    static var storage: KeyPath<State, String> { \._name.wrappedValue }
  }
  enum First {}
  enum Second {}
  enum Third {}
  enum Fourth {}

  @Test(arguments: FieldSource.allCases) func `a property with a wrapper is found by its name`(
    source: FieldSource
  ) {
    var new = State<First>()
    new.level = 3
    new.name = "Bea"
    let changes = StateDiff.changes(from: State<First>(), to: new, source: source)
    #expect(changes.contains("level"))
    #expect(changes.contains("name"))
    #expect(!changes.contains("nest.deep"))
    #expect(!changes.contains("cache"))
    #expect(changes.oldValue("name") == "Ada")
    #expect(changes.newValue("name") == "Bea")
    #expect(changes.newValue("level", as: Clamped.self)?.wrappedValue == 3)
    // Nobody has declared the keys: nothing else has changed.
    #expect(changes.keys == [])
    #expect(changes.isEmpty)
  }

  @Test(arguments: FieldSource.allCases) func `declared keys are reported and listed`(source: FieldSource) {
    let layout = withUnsafePointer(to: State<Second>()) {
      StateLayout.of(State<Second>.self, example: $0, source: source)
    }
    #expect(layout.keys == ["counter", "nest", "nest.n", "cache"])
    layout.declare(["level", "nest.deep", "none", "counter"])
    #expect(layout.keys == ["counter", "nest", "nest.n", "cache", "level", "nest.deep"])
    #expect(changedKeys(State<Second>(), source) { $0.level = 3 } == ["level"])
    #expect(changedKeys(State<Second>(), source) { $0.nest.deep = "b" } == ["nest", "nest.deep"])
    #expect(changedKeys(State<Second>(), source) { $0.name = "Bea" } == [])
    #expect(changedKeys(State<Second>(), source) { $0._cache = 2 } == [])
  }

  @Test(arguments: FieldSource.allCases) func `a key path into the wrapper does not lead to the property`(
    source: FieldSource
  ) {
    let layout = withUnsafePointer(to: State<Fourth>()) {
      StateLayout.of(State<Fourth>.self, example: $0, source: source)
    }
    #expect(layout.index(of: State<Fourth>.storage) == nil)
    #expect(layout.index(of: \State<Fourth>.counter) == 0)
  }

  @Test(arguments: FieldSource.allCases) func `a key that is looked up takes part from then on`(
    source: FieldSource
  ) {
    var old = State<Third>()
    var new = State<Third>()
    new.name = "Bea"
    withUnsafeMutablePointer(to: &old) { old in
      withUnsafeMutablePointer(to: &new) { new in
        let layout = StateLayout.of(State<Third>.self, example: old, source: source)
        var changes = ChangeSet()
        layout.compare(old: old, new: new, into: &changes)
        #expect(changes.isEmpty)
        #expect(layout.lookup("name") == .key(5))
        #expect(layout.isChanged(5, in: changes, old: old, new: new))
        #expect(!layout.isChanged(4, in: changes, old: old, new: new))
        layout.compare(old: old, new: new, into: &changes)
        #expect(changes.contains(5))
        #expect(layout.value(of: 5, in: new) as? String == "Bea")
        #expect(layout.index(of: "name") == 5)
      }
    }
  }
}
