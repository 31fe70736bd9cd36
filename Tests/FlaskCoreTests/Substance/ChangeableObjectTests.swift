import FlaskPrimitives
import Testing

@testable import FlaskCore

/// Objects in a state that can be changed in place, unnoticed.
@Suite(.ownFlux) struct ChangeableObjectTests {
  class Config: @unchecked Sendable {
    var level = 1
  }
  final class Derived: Config, @unchecked Sendable {
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
    var optional: Derived?
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
      [("nested.config", "Config"), ("optional", "Derived"), ("list", "Generic<Int>"), ("byName", "Config")]
    ) {
      #expect(fault.message.contains("`\(key)` of Odd has objects of the class \(type),"))
    }
  }

  @Test func `constants, actors and objects with an equality are none`() {
    #expect(faults { _ = Substance(Fine()) }.isEmpty)
  }

  @Test func `a state that is such an object is one, too`() {
    #expect(faults { _ = Substance(Config()) }.map(\.kind) == [.changeableObject])
  }
}
