import FlaskDiff
import Testing

@Suite struct ManyKeysTests {
  struct Ten { var a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0, j = "j" }
  struct Of<Part> { var a, b, c, d, e, f, g, h, i, j: Part }
  struct More { var hundred: Of<Ten>; var hundreds: Of<Of<Ten>>; var last = 1 }

  private static func ten<Part>(_ part: Part) -> Of<Part> {
    Of(a: part, b: part, c: part, d: part, e: part, f: part, g: part, h: part, i: part, j: part)
  }

  private let state = More(hundred: ten(Ten()), hundreds: ten(ten(Ten())))

  @Test func `states of more than a thousand keys`() {
    let layout = StateLayout.of(More.self)
    #expect(layout.keyCount == 1 + 110 + 1 + 10 + 1_100 + 1)
    #expect(layout.index(of: "last") == 1_222)
    #expect(layout.index(of: "hundreds.j.j.j") == 1_221)
    #expect(layout.path(of: 1_221) == "hundreds.j.j.j")
    #expect(layout.parent(of: 1_221) == layout.index(of: "hundreds.j.j"))
    #expect(layout.parent(of: 0) == nil)
  }

  @Test func `keys beyond the first word are reported with their parents`() {
    #expect(
      changedKeys(state) {
        $0.hundreds.e.f.g = 1
        $0.hundreds.j.j.j = "k"
        $0.hundred.a.b = 1
        $0.last = 2
      } == [
        "hundred", "hundred.a", "hundred.a.b", "hundreds", "hundreds.e", "hundreds.e.f", "hundreds.e.f.g",
        "hundreds.j", "hundreds.j.j", "hundreds.j.j.j", "last",
      ]
    )
  }

  @Test func `a set is cleared before it is filled again`() {
    var old = state
    var new = state
    new.hundreds.j.j.i = 1
    withUnsafeMutablePointer(to: &old) { old in
      withUnsafeMutablePointer(to: &new) { new in
        let layout = StateLayout.of(More.self)
        var changes = ChangeSet()
        layout.compare(old: old, new: new, into: &changes)
        #expect(changes.contains(1_220))
        layout.copyDirty(&changes, from: new, to: old)
        layout.compare(old: old, new: new, into: &changes)
        #expect(changes.isEmpty)
        #expect(!changes.contains(1_220))
      }
    }
    #expect(old.hundreds.j.j.i == 1)
  }

  @Test func `more dirty leaves than have room inline are copied`() {
    var old = state.hundred
    var new = state.hundred
    new.a.j = "1"
    new.b.j = "2"
    new.c.j = "3"
    new.d.j = "4"
    new.e.j = "5"
    new.f.j = "6"
    withUnsafeMutablePointer(to: &old) { old in
      withUnsafeMutablePointer(to: &new) { new in
        let layout = StateLayout.of(Of<Ten>.self)
        var changes = ChangeSet()
        layout.compare(old: old, new: new, into: &changes)
        layout.copyDirty(&changes, from: new, to: old)
      }
    }
    #expect(
      [old.a.j, old.b.j, old.c.j, old.d.j, old.e.j, old.f.j, old.g.j] == ["1", "2", "3", "4", "5", "6", "j"]
    )
  }
}
