import FlaskDiff
import Testing

/// A dictionary is looked at first where it differed the last time. That must change no answer.
@Suite struct DictionaryHintTests {
  struct State { var entries = ["a": 1, "b": 2, "c": 3] }

  private let layout = StateLayout.of(State.self)

  private func isChanged(_ old: State, _ new: State, _ changes: inout ChangeSet) -> Bool {
    withUnsafePointer(to: old) { old in
      withUnsafePointer(to: new) { new in layout.compare(old: old, new: new, into: &changes) }
    }
    return !changes.isEmpty
  }

  @Test func `each entry is found, whichever changed before`() {
    var changes = ChangeSet()
    let old = State()
    for key in ["a", "a", "b", "a", "c", "b", "b"] {
      var new = old
      new.entries[key] = 10
      #expect(isChanged(old, new, &changes))
    }
  }

  @Test func `what differed before and does so no more is no difference`() {
    var changes = ChangeSet()
    let old = State()
    var new = old
    new.entries["b"] = 10
    #expect(isChanged(old, new, &changes))
    new.entries["b"] = 2
    #expect(!isChanged(old, new, &changes))
    #expect(!isChanged(old, State(entries: ["c": 3, "b": 2, "a": 1]), &changes))
  }

  @Test func `an entry that differed and was removed does not hide another one`() {
    var changes = ChangeSet()
    var old = State()
    var new = old
    new.entries["b"] = 10
    #expect(isChanged(old, new, &changes))
    old.entries["b"] = nil
    new = old
    new.entries["c"] = 4
    #expect(isChanged(old, new, &changes))
    new = old
    new.entries["b"] = 2
    #expect(isChanged(old, new, &changes))
    #expect(isChanged(new, old, &changes))
    new.entries["a"] = nil
    #expect(isChanged(old, new, &changes))
  }

  @Test func `what one comparison learned is reported to none of another type`() {
    struct Other { var entries = ["b": true] }
    var changes = ChangeSet()
    var new = State()
    new.entries["b"] = 10
    #expect(isChanged(State(), new, &changes))
    let layout = StateLayout.of(Other.self)
    withUnsafePointer(to: Other()) { old in
      withUnsafePointer(to: Other()) { new in layout.compare(old: old, new: new, into: &changes) }
    }
    #expect(changes.isEmpty)
  }
}
