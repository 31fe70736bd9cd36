import FlaskDiff
import Foundation
import Testing

/// Properties that a struct holds otherwise than generic code does.
@Suite struct StoredFormTests {
  struct Config { var a = 1 }
  final class Object {}
  struct Metatypes {
    let kind = Config.self
    var items: [Int] = []
    var maybe: Config.Type? = Config.self
    var maybeMaybe: Config.Type?? = .some(nil)
    var pair: (Config.Type, Int8) = (Config.self, 3)
    var text = "a text that does not fit into sixteen bytes"
    var objects: Object.Type = Object.self
    let last = [Int].self
  }
  struct Plain { let kind = Config.self; var items: [Int] = []; var maybe: Config.Type? = nil; var n = 1 }
  struct Generic<Part> { var a = 1; var maybe: Config.Type? = nil; var part: Part; var texts = ["a"] }
  struct Functions {
    var n = 1
    var f: @Sendable (Int) -> Int = { $0 + 1 }
    var maybe: ((String) -> String)?
    var odd: (Object, inout Int) -> Float = { _, _ in 1 }
    var pair: (f: () -> Int, n: Int) = ({ 7 }, 8)
    var list: [(Int) -> Int] = [{ $0 + 10 }]
    var text = "a"
  }
  struct Box<Value> { var value: Value; var n = 1 }

  private func changes<State>(
    _ state: State,
    _ mutate: (inout State) -> Void
  ) -> StateChanges<State> {
    var new = state
    mutate(&new)
    return StateDiff.changes(from: state, to: new)
  }

  @Test func `a metatype takes no memory from its neighbours`() {
    for round in 0..<1_000 {
      let changes = changes(Plain()) { $0.items = [round, 1] }
      #expect(changes.keys == ["items"])
      #expect(changes.oldValue("items") == [Int]())
      #expect(changes.newValue("items") == [round, 1])
      #expect(changes.newValue("kind", as: Any.self) as? Any.Type == Config.self)
    }
    #expect(changes(Plain()) { $0.maybe = Config.self }.keys == ["maybe"])
    #expect(changes(Plain()) { $0.maybe = Config.self }.newValue("maybe") == Config.self)
    #expect(changes(Plain()) { $0.n = 2 }.oldValue("maybe", as: Config.Type.self) == nil)
  }

  @Test func `an object in a tuple with a metatype is released with the values that were read`() {
    struct Paired { var pair: (Object, Config.Type) }
    weak var object: Object?
    do {
      let old = Paired(pair: (Object(), Config.self))
      object = old.pair.0
      let changes = changes(old) { $0.pair.0 = Object() }
      #expect(changes.oldValue("pair", as: (Object, Config.Type).self)?.0 === object)
    }
    #expect(object == nil)
  }

  @Test func `optionals and tuples of metatypes are keys and values as any others`() {
    let old = Metatypes()
    let changed = changes(old) {
      $0.maybe = nil
      $0.maybeMaybe = nil
      $0.pair.1 = 4
      $0.text += "!"
    }
    #expect(changed.keys == ["maybe", "maybeMaybe", "pair", "text"])
    #expect(changed.oldValue("maybe") == Config.self)
    #expect(changed.newValue("maybe", as: Config.Type.self) == nil)
    #expect(changed.newValue("pair", as: (Config.Type, Int8).self)?.1 == 4)
    #expect(changed.oldValue("pair", as: (Config.Type, Int8).self)?.0 == Config.self)
    #expect(changed.newValue("last") == [Int].self)
    #expect(changes(old) { $0.maybeMaybe = .some(Config.self) }.keys == ["maybeMaybe"])
    #expect(changes(old) { $0.objects = Object.self }.keys == [])
  }

  @Test func `a struct whose form is not known is one value, and says so`() {
    struct State { var n = 1; var generic = Generic(part: 1); var text = "a" }
    let layout = StateLayout.of(State.self)
    #expect(layout.keys == ["n", "generic", "text"] || layout.doubts.isEmpty)
    let changed = changes(State()) {
      $0.generic.texts = ["b"]
      $0.text = "b"
    }
    #expect(changed.contains("generic"))
    #expect(changed.contains("text"))
    #expect(!changed.contains("n"))
  }

  @Test func `a type that could have two forms is doubted`() {
    struct Doubtful<Part> { var a = 1; var maybe: (Part.Type, Part.Type)?; var part: Part; var texts = ["a"] }
    let state = Doubtful(part: 1)
    let layout = StateLayout.of(Doubtful<Int>.self)
    #expect(layout.keys == [""])
    #expect(layout.doubts.count == 1)
    #expect(changes(state) { $0.texts = ["b"] }.keys == [""])
  }

  @Test func `a function has a value by its key path, and none by its key`() {
    let changed = changes(Functions()) {
      $0.f = { $0 + 41 }
      $0.maybe = { $0 + "!" }
      $0.pair.n = 9
    }
    #expect(changed.keys == ["f", "maybe", "pair"])
    #expect(changed.newValue("f", as: Any.self) == nil)
    #expect(changed.newValue("maybe", as: Any.self) == nil)
    #expect(changed.newValue("pair", as: Any.self) == nil)
    #expect(changed.newValue("list", as: [(Int) -> Int].self)?[0](1) == 11)
    #expect(changed.change(at: \.f)?.new(2) == 43)
    #expect(changed.change(at: \.f)?.old(2) == 3)
    #expect(changed.change(at: \.maybe)?.new?("a") == "a!")
    #expect(changed.change(at: \.pair)?.new.f() == 7)
  }

  @Test func `a function of any type is compared, and has no value`() {
    let changed = changes(Functions()) { $0.odd = { _, _ in 2 } }
    #expect(changed.keys == ["odd"])
    #expect(changed.newValue("odd", as: Any.self) == nil)
    #expect(changed.newValue("odd", as: ((Object, inout Int) -> Float).self) == nil)
    let layout = StateLayout.of(Functions.self)
    #expect(layout.stored(1) == nil)
    #expect(layout.stored(2) == nil)
    #expect(layout.stored(0)?.offset == 0)
  }

  @Test func `a function in a generic struct is held as generic code does`() {
    let changed = changes(Box<(Float) -> Float>(value: { $0 })) { $0.value = { $0 * 2 } }
    #expect(changed.keys == ["value"])
    #expect(changed.newValue("value", as: ((Float) -> Float).self)?(2) == 4)
  }

  @Test func `functions are copied with their references`() {
    weak var captured: Object?
    do {
      let object = Object()
      captured = object
      var old = Functions()
      var new = Functions(odd: { _, _ in withExtendedLifetime(object) { 3 } })
      copyDirty(from: &new, to: &old)
      new = Functions()
      var number = 1
      #expect(old.odd(Object(), &number) == 3)
    }
    #expect(captured == nil)
  }

  private func copyDirty<State>(from new: inout State, to old: inout State) {
    withUnsafeMutablePointer(to: &old) { old in
      withUnsafePointer(to: new) { new in
        let layout = StateLayout.of(State.self)
        var changes = ChangeSet()
        layout.compare(old: old, new: new, into: &changes)
        layout.copyDirty(&changes, from: new, to: old)
      }
    }
  }
}

extension StateChanges {
  func newValue<Value>(_ key: String, as type: Value.Type) -> Value? { newValue(key) }
  func oldValue<Value>(_ key: String, as type: Value.Type) -> Value? { oldValue(key) }
}
