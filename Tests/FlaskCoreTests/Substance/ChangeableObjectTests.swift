import FlaskPrimitives
import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

/// Objects in a state that can be changed in place, unnoticed.
@Suite(.ownFlux) struct ChangeableObjectTests {
  class Config: @unchecked Sendable {
    var level = 1
  }
  final class Special: Config, @unchecked Sendable {
    let name = ""
  }
  final class Constant: Sendable {
    let level = 1
  }
  final class Equal: Equatable, @unchecked Sendable {
    var level = 1
    static func == (a: Equal, b: Equal) -> Bool { a.level == b.level }
  }
  actor Isolated {
    var level = 1
  }
  final class Generic<Value: Sendable>: @unchecked Sendable {
    var value: Value
    init(_ value: Value) { self.value = value }
  }
  struct Nested: Sendable {
    var config = Config()
  }
  struct Odd: Sendable {
    var title = ""
    var nested = Nested()
    var optional: Special?
    var list: [Generic<Int>] = []
    var byName: [String: Config] = [:]
  }
  struct Fine: Sendable {
    var constant = Constant()
    var equal: Equal? = Equal()
    var isolated: [Isolated] = []
    var text: any Sendable = ""
  }

  private func faults(_ body: () -> Void) -> [FlaskFault] {
    let faults = Recorder<FlaskFault>()
    Flux.current.onFault = { faults.append($0) }
    body()
    Flux.current.onFault = nil
    return faults.all
  }

  @Test func `an object with variables is a fault that names its key and class, once for each type`() throws {
    let found = faults {
      let odd = Substance(Odd())
      odd.mix { $0.nested.config.level = 2 }
      _ = Substance(Odd())
    }
    #expect(found.map(\.kind) == Array(repeating: .changeableObject, count: 4))
    for (fault, (key, type)) in zip(
      found,
      [("nested.config", "Config"), ("optional", "Special"), ("list", "Generic<Int>"), ("byName", "Config")]
    ) {
      #expect(fault.message.contains("`\(key)` of Odd has objects of the class \(type),"))
    }
  }

  @Test func `constants, actors and objects with an equality are none`() {
    #expect(faults { _ = Substance(Fine()) }.isEmpty)
  }

  struct Item: Sendable {
    var config = Config()
    var more: [Item] = []
  }
  enum Choice: Sendable {
    case none
    case some(Config)
    indirect case again(Choice)
  }
  @propertyWrapper struct Boxed: Sendable {
    var wrappedValue = Config()
  }
  struct Deep: Sendable {
    var items: [Item] = []
    var item: Item?
    var choice = Choice.none
    var byID: [Int: Result<Config, Never>] = [:]
    @Boxed var boxed
  }
  struct Hidden: Sendable {
    var title = ""
    var _cache = Config()
    var _items: [Item] = []
  }
  struct Same: Sendable, Equatable {
    var config: Config? { nil }
    static func == (a: Same, b: Same) -> Bool { true }
  }

  @Test func `structs and payloads in contents are looked into, at any depth`() throws {
    let found = faults { _ = Substance(Deep()) }
    #expect(found.count == 5)
    for (fault, key) in zip(found, ["items", "item", "choice", "byID", "boxed"]) {
      #expect(fault.message.contains("`\(key)` of Deep has objects of the class Config,"), "\(fault)")
    }
    #expect(faults { _ = Substance(Choice.none) }.map(\.kind) == [.changeableObject])
    #expect(faults { _ = Substance([Item()]) }.map(\.kind) == [.changeableObject])
  }

  @Test func `what is hidden or has an equality is none`() {
    let found = faults {
      _ = Substance(Hidden())
      _ = Substance([Same()])
    }
    #expect(found.isEmpty)
  }

  @Test func `a state that is such an object is one, too`() {
    #expect(faults { _ = Substance(Config()) }.map(\.kind) == [.changeableObject])
  }
}
