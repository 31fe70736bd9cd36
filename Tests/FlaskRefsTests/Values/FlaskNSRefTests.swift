import FlaskDiff
import FlaskRefs
import Foundation
import Testing

@Suite struct FlaskNSRefTests {
  final class Screen {}
  struct Nest: Codable, Sendable { var foo = "bar"; var object = FlaskNSRef(NSObject()) }
  struct State: Codable, Sendable {
    var nest = Nest()
    var object: FlaskNSRef?
  }
  struct ShortName: Codable, Sendable { var object = FlaskRef(NSObject()) }

  @Test func `references are equal when they point to the same object`() {
    let a = Screen()
    let b = Screen()
    #expect(FlaskNSRef(a) == FlaskNSRef(a))
    #expect(FlaskNSRef(a) != FlaskNSRef(b))
    #expect(FlaskNSRef(a) != FlaskNSRef(nil))
    #expect(FlaskNSRef(nil) == FlaskNSRef(nil))
  }

  @Test func `the object is not kept alive`() {
    var object: Screen? = Screen()
    let reference = FlaskNSRef(object)
    #expect(reference.object === object)
    object = nil
    #expect(reference.object == nil)
    #expect(reference == FlaskNSRef(nil))
  }

  @Test func `a key changes when the pointer does`() {
    let a = NSObject()
    let b = NSObject()
    var old = State()
    old.object = FlaskNSRef(a)
    var new = old
    new.object = FlaskNSRef(a)
    #expect(StateDiff.changes(from: old, to: new).keys == [])
    new.object = FlaskNSRef(b)
    #expect(StateDiff.changes(from: old, to: new).keys == ["object"])
    new.object = nil
    #expect(StateDiff.changes(from: old, to: new).keys == ["object"])
    new = old
    new.nest.object = FlaskNSRef(a)
    #expect(StateDiff.changes(from: old, to: new).keys == ["nest", "nest.object"])
  }

  @Test func `what happens inside the object changes no key`() {
    let object = NSMutableArray()
    var old = State()
    old.object = FlaskNSRef(object)
    var new = old
    new.object = FlaskNSRef(object)
    object.add(1)
    #expect(StateDiff.changes(from: old, to: new).isEmpty)
  }

  @Test func `it is archived as empty and comes back empty`() throws {
    let object = NSObject()
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let data = try encoder.encode(State(object: FlaskNSRef(object)))
    #expect(String(decoding: data, as: UTF8.self) == #"{"nest":{"foo":"bar","object":{}},"object":{}}"#)
    #expect(String(decoding: try encoder.encode(FlaskNSRef(object)), as: UTF8.self) == "{}")
    let decoded = try JSONDecoder().decode(State.self, from: data)
    #expect(decoded.nest.object.object == nil)
    #expect(decoded.object == FlaskNSRef(nil))
  }

  @Test func `whatever an older archive has in its place is read as empty`() throws {
    let archive = Data(#"{"object":{"address":"0x1"}}"#.utf8)
    #expect(try JSONDecoder().decode(ShortName.self, from: archive).object == FlaskRef(nil))
  }

  @Test func `a reference is read on many threads while its object goes`() {
    for _ in 0..<200 {
      nonisolated(unsafe) var object: NSObject? = NSObject()
      let reference = FlaskNSRef(object)
      DispatchQueue.concurrentPerform(iterations: 4) { index in
        if index == 0 { object = nil }
        _ = reference.object === reference.object
        _ = reference == FlaskNSRef(nil)
      }
      #expect(reference.object == nil)
    }
  }

  @Test func `the text names the class`() {
    let screen = Screen()
    #expect(FlaskNSRef(screen).description == "FlaskNSRef(Screen)")
    #expect(FlaskNSRef(nil).description == "FlaskNSRef(nil)")
  }
}
