import FlaskDiff
import Testing

/// References to objects that are gone.
@Suite struct DeadReferenceTests {
  protocol Listener: AnyObject {}
  final class Object: Listener {}
  struct State {
    var n = 1
    unowned var unowned: Object
    unowned var maybe: Object?
    unowned(unsafe) var unsafe: Object
    weak var weak: Object?
    weak var listener: (any Listener)?
    unowned var speaker: any Listener
    var text = "a text that does not fit into sixteen bytes"
  }
  struct Outer { var state: State; var list: [State]; var maybe: State? }

  private func dead() -> State {
    let object = Object()
    return withExtendedLifetime(object) {
      State(unowned: object, maybe: object, unsafe: object, weak: object, listener: object, speaker: object)
    }
  }

  @Test func `a dead reference traps nowhere, and has no value`() {
    let state = dead()
    let live = Object()
    #expect(changedKeys(state) { $0.weak = live } == ["weak"])
    #expect(changedKeys(state) { $0.listener = live } == ["listener"])
    #expect(changedKeys(state) { $0.unowned = live } == ["unowned"])
    #expect(changedKeys(state) { $0.maybe = nil } == ["maybe"])
    #expect(changedKeys(state) { $0.unsafe = live } == ["unsafe"])
    #expect(changedKeys(state) { $0.speaker = live } == ["speaker"])
    #expect(changedKeys(state) { $0.n = 2 } == ["n"])
    var new = state
    new.unowned = live
    new.weak = live
    let changes = StateDiff.changes(from: state, to: new)
    #expect(changes.oldValue("unowned", as: Object.self) == nil)
    #expect(changes.newValue("unowned", as: Object.self) === live)
    #expect(changes.newValue("weak", as: Object.self) === live)
    #expect(changes.newValue("listener", as: (any Listener).self) == nil)
    #expect(changes.newValue("unsafe", as: Object.self) == nil)
    #expect(changes.description.hasPrefix("+ unowned: "))
  }

  @Test func `dead references below other values trap nowhere`() {
    let live = Object()
    let outer = Outer(state: dead(), list: [dead()], maybe: dead())
    #expect(changedKeys(outer) { $0.list[0].weak = live } == ["list"])
    #expect(changedKeys(outer) { $0.state.weak = live } == ["state", "state.weak"])
    #expect(changedKeys(outer) { $0.maybe?.unowned = live } == ["maybe", "maybe.unowned"])
    #expect(changedKeys(outer) { $0.maybe?.text = "b" } == ["maybe", "maybe.text"])
  }

  @Test func `a dead reference is copied and replaced`() {
    let live = Object()
    var old = dead()
    var new = old
    new.unowned = live
    new.text = "b"
    withUnsafeMutablePointer(to: &old) { old in
      withUnsafeMutablePointer(to: &new) { new in
        let layout = StateLayout.of(State.self)
        var changes = ChangeSet()
        layout.compare(old: old, new: new, into: &changes)
        layout.copyDirty(&changes, from: new, to: old)
        #expect(!layout.copyDifferences(from: new, to: old))
      }
    }
    #expect(old.unowned === live)
    #expect(old.text == "b")
  }

  @Test func `references to living objects are read`() {
    let a = Object()
    let b = Object()
    let state = State(unowned: a, maybe: nil, unsafe: a, weak: a, listener: b, speaker: b)
    let changes = StateDiff.changes(from: state, to: state)
    #expect(changes.newValue("unowned", as: Object.self) === a)
    #expect(changes.newValue("weak", as: Object.self) === a)
    #expect(changes.newValue("listener", as: (any Listener).self) === b)
    #expect(changes.newValue("speaker", as: (any Listener).self) === b)
    #expect(changes.newValue("maybe", as: Object.self) == nil)
    withExtendedLifetime((a, b)) {}
  }
}
