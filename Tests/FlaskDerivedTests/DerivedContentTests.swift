import FlaskPrimitives
import Testing

@testable import FlaskCore
@testable import FlaskDerived
@testable import KernelFixtures
import TestSupport

/// What a reader gets of a value that is observed, where the new one differs in nothing that observers are told of.
@Suite(.ownFlux) struct DerivedContentTests {
  final class Item: Sendable, Equatable {
    let number: Int
    init(_ number: Int) { self.number = number }
    static func == (a: Item, b: Item) -> Bool { true }
  }

  struct Row: Sendable {
    var title = ""
    var _model: Item?
  }

  let input = Substance(Tally())
  let heard = Recorder<String>()

  @Test(arguments: [false, true])
  func `what is no key of it is the last one`(isObserved: Bool) {
    let items = (0..<4).map { Item($0) }
    let row = Derived { [input] in Row(title: input.text, _model: items[input.counter]) }
    let token = isObserved ? row.observe { [heard] in heard.append("\($0.title) → \($1.title)") } : nil
    #expect(row.value._model === items[0])
    for number in 1..<4 {
      input.mix { $0.counter = number }
      #expect(row.value._model === items[number])
    }
    #expect(heard.all == [])
    input.mix { $0.text = "a" }
    #expect(row.value.title == "a")
    #expect(row.value._model === items[3])
    #expect(heard.all == (isObserved ? [" → a"] : []))
    withExtendedLifetime(token) {}
  }

  @Test(arguments: [false, true])
  func `of two objects that are equal it is the last one`(isObserved: Bool) {
    let items = (0..<4).map { Item($0) }
    let item = Derived { [input] in items[input.counter] }
    let token = isObserved ? item.observe { [heard] in heard.append("\($0.number) → \($1.number)") } : nil
    for number in [1, 3, 2] {
      input.mix { $0.counter = number }
      #expect(item.value === items[number])
    }
    #expect(heard.all == [])
    withExtendedLifetime(token) {}
  }

  @Test func `a reader of an earlier moment does not take the versions of the value back`() {
    let runs = Recorder<Int>()
    let count = Derived { [input] in
      runs.append(input.counter)
      return input.counter
    }
    let token = count.observe { _, _ in }
    // From here on it is read where its observers find it.
    for number in 1...2 { input.mix { $0.counter = number } }
    input.mix { $0.text = "not read" }
    #expect(count.value == 2)
    ConsistentRead.perform { moment in
      #expect(moment.version(of: input.cell) == 3)
      input.mix { $0.text = "not read either" }
      #expect(count.value == 2)
    }
    #expect(count.value == 2)
    #expect(runs.all == [0, 1, 2])
    withExtendedLifetime(token) {}
  }

  @Test func `an operation that changes nothing that was read leaves the record as it is`() {
    let count = Derived { [input] in input.counter }
    let token = count.observe { _, _ in }
    for number in 1...2 { input.mix { $0.counter = number } }
    let record = count.node.record()
    input.mix { $0.text = "not read" }
    #expect(count.node.record() === record)
    input.mix { $0.counter = 3 }
    #expect(count.node.record() !== record)
    withExtendedLifetime(token) {}
  }

  @Test func `a value whose size is not its stride lies within its memory`() {
    let values = (0..<50).map { _ in
      Derived { [input] () -> SIMD8<Double>? in input.counter % 2 == 0 ? nil : SIMD8(repeating: 1) }
    }
    let tokens = values.map { value in value.observe { [heard] in heard.append($1 == nil ? "nil" : "some") } }
    for number in 1...4 { input.mix { $0.counter = number } }
    #expect(heard.all.count == 200)
    #expect(values.allSatisfy { $0.value == nil })
    withExtendedLifetime(tokens) {}
  }

  final class Config: @unchecked Sendable {
    var level = 1
  }

  @Test func `an object with variables is no fault in a derived value, which no mix changes`() {
    let config = Config()
    #expect(Derived { config }.value === config)
    #expect(FaultLog.takeKinds() == [])
  }
}
