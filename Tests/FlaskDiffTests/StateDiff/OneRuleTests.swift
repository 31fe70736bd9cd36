import FlaskDiff
import Foundation
import Testing

@testable import enum FlaskDiff.TypeOrigin

/// A value differs by the same rule wherever it is.
@Suite struct OneRuleTests {
  struct Lenient: Equatable {
    var x = 1
    var y = 1
    static func == (a: Self, b: Self) -> Bool { a.x == b.x }
  }
  class Valued: Equatable {
    let value: Int
    init(_ value: Int) { self.value = value }
    static func == (a: Valued, b: Valued) -> Bool { a.value == b.value }
  }
  final class Special: Valued {}
  enum Choice { case one(Valued), none }
  struct HiddenOnly { var _a = 1; var _b = "b" }
  struct Sealed: Equatable { var _a = 1 }
  struct State {
    var plain = Lenient()
    var maybe: Lenient? = Lenient()
    var table = ["k": Lenient()]
    var list = [Lenient()]
    var pair = (Lenient(), 1)
    var vector = SIMD4<Double>(1, .nan, 3, 4)
    var valued = Valued(1)
    var choice = Choice.one(Valued(1))
    var any: Any = Valued(1)
    var hidden = HiddenOnly()
    var hiddens = [HiddenOnly()]
    var sealed = Sealed()
    var last = 1
  }

  @Test func `structs differ by property whatever their == says`() {
    #expect(changedKeys(State()) { $0.plain.y = 2 } == ["plain", "plain.y"])
    #expect(changedKeys(State()) { $0.maybe?.y = 2 } == ["maybe", "maybe.y"])
    #expect(changedKeys(State()) { $0.table["k"]?.y = 2 } == ["table", "table.k", "table.k.y"])
    #expect(changedKeys(State()) { $0.list[0].y = 2 } == ["list"])
    #expect(changedKeys(State()) { $0.pair.0.y = 2 } == ["pair"])
    #expect(changedKeys(State()) { $0.list = $0.list.map { $0 } } == [])
  }

  final class Storage {
    let n: Int
    init(_ n: Int) { self.n = n }
  }
  struct Shared: Equatable {
    var storage = Storage(1)
    static func == (a: Self, b: Self) -> Bool { a.storage.n == b.storage.n }
  }

  @Test func `an == decides where properties can't be compared`() {
    #expect(StateDiff.areEqual([Shared()], [Shared()]))
    #expect(StateDiff.areEqual(Optional(Shared()), Shared()))
    #expect(!StateDiff.areEqual([Shared()], [Shared(storage: Storage(2))]))
  }

  @Test func `NaN in a vector equals itself`() {
    let other = Double(nan: 5, signaling: false)
    #expect(changedKeys(State()) { $0.vector[1] = other } == [])
    #expect(changedKeys(State()) { $0.vector[0] = 2 } == ["vector"])
    #expect(changedKeys(State()) { $0.vector[0] = .nan } == ["vector"])
  }

  @Test
  func `objects of a class and its subclass are the same if == says so`() {
    #expect(changedKeys(State()) { $0.valued = Special(1) } == [])
    #expect(changedKeys(State()) { $0.valued = Special(2) } == ["valued"])
    #expect(changedKeys(State()) { $0.choice = .one(Special(1)) } == [])
    #expect(changedKeys(State()) { $0.choice = .one(Special(2)) } == ["choice"])
    #expect(changedKeys(State()) { $0.any = Special(1) } == [])
    #expect(changedKeys(State()) { $0.any = Special(3) } == ["any"])
  }

  @Test func `a struct of underscored properties is compared by them`() {
    #expect(changedKeys(State()) { $0.hidden._a = 2 } == ["hidden"])
    #expect(changedKeys(State()) { $0.hidden._b = "c" } == ["hidden"])
    #expect(changedKeys(State()) { $0.hiddens[0]._b = "c" } == ["hiddens"])
    #expect(changedKeys(State()) { $0.sealed._a = 2 } == ["sealed"])
  }

  @Test func `a user's module may be called as one of the system's`() {
    #expect(!TypeOrigin.isSystem(module: "System") { nil })
    #expect(!TypeOrigin.isSystem(module: "Combine") { "/home/ada/App" })
    #expect(TypeOrigin.isSystem(module: "Combine") { "/System/Library/Frameworks/Combine.framework/Combine" })
    #expect(TypeOrigin.isSystem(module: "Foundation") { nil })
    #expect(!TypeOrigin.isSystem(State.self))
    #expect(TypeOrigin.isSystem(Date.self))
  }

  struct Word { var a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8 }
  struct Eight<Part> { var a, b, c, d, e, f, g, h: Part }
  typealias Large = Eight<Eight<Eight<Pair>>>
  struct Pair { var a = Word(), b = Word() }

  /// Made in place: a value of that size should not be on a stack.
  private static func makeLarge() -> UnsafeMutablePointer<Large> {
    let large = UnsafeMutablePointer<Large>.allocate(capacity: 1)
    UnsafeMutableRawPointer(large).initializeMemory(as: Pair.self, repeating: Pair(), count: 512)
    return large
  }

  @Test func `values of 64 KB do not overflow a small stack`() async {
    #expect(MemoryLayout<Large>.size == 64 << 10)
    let lines = await withCheckedContinuation { (continuation: CheckedContinuation<[String], Never>) in
      let thread = Thread {
        let old = Self.makeLarge()
        let new = Self.makeLarge()
        new.pointee.b.b.b.b.b = 0
        let changes = StateDiff.changes(from: old.pointee, to: new.pointee)
        let value: Int? = changes.newValue("b.b.b.b.b")
        let isContained = changes.contains("b.b.b") && changes.contains(\.b.b.b.b.b)
        continuation.resume(
          returning: changes.keys + ["\(isContained)", String(value ?? -1), changes.description]
        )
        old.deallocate()
        new.deallocate()
      }
      thread.stackSize = 512 << 10
      thread.start()
    }
    #expect(
      lines == [
        "b", "b.b", "b.b.b", "b.b.b.b", "b.b.b.b.b", "true", "0", "- b.b.b.b.b: 2\n+ b.b.b.b.b: 0",
      ]
    )
  }
}
