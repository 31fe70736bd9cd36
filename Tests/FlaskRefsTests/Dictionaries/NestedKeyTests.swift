import FlaskDiff
import FlaskRefs
import Foundation
import Testing

@Suite struct NestedKeyTests {
  struct State: Codable, Sendable {
    var title = ""
    var info: FlaskDictRef?
    var map = FlaskDictRef()
  }

  private func changes(
    from old: [String: Any]?,
    _ mutate: (inout State) -> Void
  ) -> StateChanges<State> {
    let old = State(info: old.map { FlaskDictRef($0) })
    var new = old
    mutate(&new)
    return StateDiff.changes(from: old, to: new)
  }

  @Test func `the keys of a new dictionary are keys of the state`() {
    let changes = changes(from: nil) {
      let data: NSDictionary = [
        "foo": "bar",
        "nest": [
          "data": "some"
        ],
      ]
      $0.info = FlaskDictRef(data)
    }
    #expect(changes.keys == ["info", "info.foo", "info.nest", "info.nest.data"])
    #expect(changes.contains("info.nest.data"))
    #expect(changes.newValue("info.nest.data") == "some")
    #expect(changes.oldValue("info.nest.data") == String?.none)
    #expect(!changes.contains("map"))
  }

  @Test func `setting an entry changes its key and no other`() {
    let changes = changes(from: ["a": 1, "nest": ["x": 1, "y": 2]]) {
      $0.info?["nest", "x"] = 5
      $0.map["new"] = true
    }
    #expect(changes.keys == ["info", "info.nest", "info.nest.x", "map", "map.new"])
    #expect(changes.oldValue("info.nest.x") == 1)
    #expect(changes.newValue("info.nest.x") == 5)
    #expect(changes.newValue("map.new") == true)
    #expect(!changes.contains("info.a"))
    #expect(!changes.contains("info.nest.y"))
    #expect(
      changes.description == """
        - info.nest.x: 1
        + info.nest.x: 5
        + map.new: true
        """
    )
  }

  @Test func `setting an entry to what it is changes nothing`() {
    let changes = changes(from: ["a": 1, "f": Double.nan, "list": [1, ["x": NSNull()]]]) {
      $0.info?["a"] = 1
      $0.info?["f"] = Double.nan
      $0.info?["list"] = [1, ["x": NSNull()]] as [Any]
    }
    #expect(changes.isEmpty)
  }

  @Test func `entries that go, become nil or null have changed`() {
    let changes = changes(from: ["gone": 1, "nil": 1, "null": 1, "same": FlaskNil()]) {
      $0.info?["gone"] = nil
      $0.info?["nil"] = FlaskNil()
      $0.info?["null"] = NSNull()
      $0.info?["same"] = FlaskNil()
    }
    #expect(changes.keys == ["info", "info.gone", "info.nil", "info.null"])
    #expect(changes.newValue("info.gone") == Int?.none)
    #expect(changes.newValue("info.nil") == Int?.none)
    #expect(changes.newValue("info.null") == NSNull())
  }

  @Test func `lists are one key`() {
    let changes = changes(from: ["list": [1, ["x": 1]], "other": [1]]) {
      $0.info?["list"] = [1, ["x": 2]] as [Any]
    }
    #expect(changes.keys == ["info", "info.list"])
  }

  @Test func `a key with dots and a path are distinguished`() {
    let both: [String: Any] = ["a.b": 1, "a": ["b": 2]]
    let dotted = changes(from: both) { $0.info?["a.b"] = 5 }
    #expect(dotted.keys == ["info", #"info.a\.b"#])
    #expect(dotted.contains(#"info.a\.b"#))
    #expect(dotted.newValue(#"info.a\.b"#) == 5)
    #expect(!dotted.contains("info.a.b"))
    #expect(dotted.newValue("info.a.b") == 2)
    let path = changes(from: both) { $0.info?["a", "b"] = 5 }
    #expect(path.keys == ["info", "info.a", "info.a.b"])
    #expect(path.contains("info.a.b"))
    #expect(!path.contains(#"info.a\.b"#))
  }

  @Test
  func `a key with dots is found plainly where nothing reads like its beginning`() {
    let changes = changes(from: ["a.b": ["c.d": 1], #"back\slash"#: 1]) {
      $0.info?["a.b", "c.d"] = 2
      $0.info?[#"back\slash"#] = 2
    }
    #expect(changes.keys == ["info", #"info.a\.b"#, #"info.a\.b.c\.d"#, #"info.back\\slash"#])
    #expect(changes.contains("info.a.b"))
    #expect(changes.newValue("info.a.b.c.d") == 2)
    #expect(changes.newValue(#"info.a\.b.c\.d"#) == 2)
    #expect(changes.newValue(#"info.back\slash"#) == 2)
    #expect(changes.newValue(#"info.back\\slash"#) == 2)
    #expect(!changes.contains("info.a"))
  }

  @Test func `odd keys are keys`() {
    let odd: [String: Any] = ["": 1, ".": 1, "\\": 1, "\\.": 1, "😀": 1, "_hidden": 1]
    let changes = changes(from: odd) { state in
      for key in odd.keys { state.info?[key] = 2 }
    }
    let paths = ["info.", #"info.\."#, #"info.\\"#, #"info.\\\."#, "info.😀", "info._hidden"]
    #expect(Set(changes.keys) == Set(paths + ["info"]))
    for path in paths { #expect(changes.newValue(path) == 2) }
  }
}
