import Observation
import Testing

@testable import FlaskCore
@testable import FlaskDerived
@testable import KernelFixtures
import TestSupport

/// Values that follow from states.
@Suite(.ownFlux) struct DerivedTests {
  struct Todo: Sendable, Equatable { var title: String, isDone = false }

  struct Todos: Sendable, Equatable {
    var items: [Todo] = []
    var filter = ""
    var note = ""
  }

  let a = Substance(1)
  let b = Substance(10)
  let runs = Recorder<Int>()

  private func sum() -> Derived<Int> {
    Derived { [a, b, runs] in
      runs.append(a.state + b.state)
      return a.state + b.state
    }
  }

  @Test func `it is computed when it is read, and not before`() {
    let sum = sum()
    #expect(runs.count == 0)
    #expect(sum.value == 11)
    #expect(sum.value == 11)
    #expect(runs.all == [11])
  }

  @Test func `it is computed again only after a commit that changed what it read`() {
    let todos = Substance(Todos(items: [Todo(title: "milk"), Todo(title: "bread")]))
    let visible = Derived { [runs] in
      runs.append(1)
      return todos.items.filter { todos.filter.isEmpty || $0.title.contains(todos.filter) }
    }
    #expect(visible.value.map(\.title) == ["milk", "bread"])
    todos.mix { $0.note = "not read" }
    #expect(visible.count == 2)
    #expect(runs.count == 1)
    todos.mix { $0.filter = "read" }
    #expect(visible.value == [Todo(title: "bread")])
    #expect(runs.count == 2)
    todos.mix { $0.note = "not read, either" }
    todos.mix { $0.note = "nor this" }
    #expect(visible.value == [Todo(title: "bread")])
    #expect(runs.count == 2)
  }

  @Test func `of a state with hundreds of properties only those that were read count`() {
    let wide = Substance(WideState())
    let ends = Derived { [runs] in
      runs.append(1)
      return [wide.f000, wide.f099, wide.f297]
    }
    #expect(ends.value == [0, 99, 297])
    wide.mix {
      $0.f096 = -1
      $0.f294 = -1
    }
    #expect(ends.value == [0, 99, 297])
    #expect(runs.count == 1)
    wide.mix { $0.f297 = -1 }
    #expect(ends.value == [0, 99, -1])
    wide.mix { $0.f099 = -1 }
    #expect(ends.value == [0, -1, -1])
    #expect(runs.count == 3)
  }

  @Test func `of hundreds of keys observers are notified of theirs only`() {
    let wide = Substance(WideState())
    let token = wide.observe(anyOf: [\.f064, \.f128, \.f192], isolation: nil) { [runs] state in
      runs.append(state.f192)
    }
    wide.mix { $0.f000 = -1 }
    #expect(runs.all == [])
    wide.mix { $0.f064 = "changed" }
    wide.mix { $0.f192 = -1 }
    #expect(runs.all == [192, -1])
    withExtendedLifetime(token) {}
  }

  @Test func `observers are notified once in each operation that led to another value`() {
    let sum = sum()
    let heard = Recorder<String>()
    let token = sum.observe { old, new in heard.append("\(old) → \(new)") }
    let before = runs.count
    Flask.mix(a, b) { a, b in
      a += 1
      b += 1
    }
    #expect(heard.all == ["11 → 13"])
    #expect(runs.count == before + 1)
    a.mix { $0 = 5 }
    // The sum stays the same.
    Flask.mix(a, b) { a, b in
      a += 1
      b -= 1
    }
    #expect(heard.all == ["11 → 13", "13 → 16"])
    token.cancel()
    a.mix { $0 = 0 }
    #expect(heard.count == 2)
    #expect(sum.value == 10)
  }

  @Test func `observed again after a while, the old value is that before the commit`() {
    let sum = sum()
    let heard = Recorder<String>()
    sum.observe { old, new in heard.append("\(old) → \(new)") }.cancel()
    a.mix { $0 = 2 }
    let token = sum.observe { old, new in heard.append("\(old) → \(new)") }
    a.mix { $0 = 3 }
    #expect(heard.all == ["12 → 13"])
    withExtendedLifetime(token) {}
  }

  @Test func `who is notified of an input reads the new value`() {
    let sum = sum()
    let seen = Recorder<Int>()
    let tokens = [
      a.observe(\.self) { _, _ in seen.append(sum.value) },
      sum.observe { _, new in seen.append(new) },
    ]
    a.mix { $0 = 2 }
    #expect(seen.all == [12, 12])
    withExtendedLifetime(tokens) {}
  }

  @Test func `inside a mix it is the value before`() {
    let sum = sum()
    let seen = Recorder<Int>()
    let token = sum.observe { _, _ in }
    a.mix {
      $0 = 100
      seen.append(sum.value)
    }
    #expect(seen.all == [11])
    #expect(sum.value == 110)
    withExtendedLifetime(token) {}
  }

  @Test func `one derived from another is computed only if that has another value`() {
    let isLarge = Derived { [a, runs] in
      runs.append(a.state)
      return a.state > 2
    }
    let texts = Recorder<String>()
    let text = Derived { () -> String in
      texts.append("")
      return isLarge.value ? "large" : "small"
    }
    let heard = Recorder<String>()
    #expect(text.value == "small")
    a.mix { $0 = 2 }
    #expect(text.value == "small")
    #expect(texts.count == 1)
    let token = text.observe { heard.append("\($0) → \($1)") }
    for number in 0..<6 { a.mix { $0 = number } }
    #expect(heard.all == ["small → large"])
    #expect(texts.count == 2)
    #expect(runs.all == [1, 2, 0, 1, 2, 3, 4, 5])
    withExtendedLifetime(token) {}
  }

  @Test func `what it depends on may change`() {
    let isFirst = Substance(true)
    let chosen = Derived { [a, b, runs] in
      runs.append(0)
      return isFirst.state ? a.state : b.state
    }
    let heard = Recorder<Int>()
    let token = chosen.observe { heard.append($1) }
    b.mix { $0 = 11 }
    #expect(runs.count == 1)
    isFirst.mix { $0 = false }
    a.mix { $0 = 2 }
    b.mix { $0 = 12 }
    #expect(heard.all == [11, 12])
    #expect(runs.count == 3)
    withExtendedLifetime(token) {}
  }

  @Test func `one that is derived from one whose dependencies change follows`() {
    let isFirst = Substance(true)
    let chosen = Derived { [a, b] in isFirst.state ? a.state : b.state }
    let double = Derived { chosen.value * 2 }
    let heard = Recorder<Int>()
    let token = double.observe { heard.append($1) }
    b.mix { $0 = 1 }
    // The same value, from another substance.
    isFirst.mix { $0 = false }
    a.mix { $0 = 7 }
    b.mix { $0 = 4 }
    #expect(heard.all == [8])
    withExtendedLifetime(token) {}
  }

  @Test func `a key path of it is observed`() {
    let todos = Substance(Todos(items: [Todo(title: "milk")]))
    let first = Derived { todos.items.first ?? Todo(title: "") }
    let heard = Recorder<String>()
    let token = first.observe(\.isDone) { heard.append("\($0) → \($1)") }
    todos.mix { $0.items[0].title = "oat milk" }
    todos.mix { $0.items[0].isDone = true }
    #expect(heard.all == ["false → true"])
    #expect(first.title == "oat milk")
    withExtendedLifetime(token) {}
  }

  @Test func `what it reports counts as no key of the operation`() async {
    let sum = sum()
    let token = sum.observe { _, _ in }
    let outcome = await a.mix { $0 = 8 }.outcome
    #expect("\(outcome)".hasPrefix("committed("))
    if case .committed(let keys) = outcome { #expect(keys.count == 1) }
    withExtendedLifetime(token) {}
  }

  @Test func `tracking is notified when the value is another one`() {
    let isLarge = Derived { [a] in a.state > 5 }
    let told = Recorder<Int>()
    withObservationTracking {
      _ = isLarge.value
    } onChange: {
      told.append(1)
    }
    a.mix { $0 = 2 }
    #expect(told.count == 0)
    a.mix { $0 = 6 }
    #expect(told.count == 1)
  }

  @Test func `a derived value that is dropped is notified of nothing, and leaves nothing`() {
    let sum = Holder2(sum())
    var token = sum.derived?.observe { _, _ in }
    sum.derived = nil
    #expect(a.cell.notices & Cell.Notice.attached != 0)
    withExtendedLifetime(token) {}
    token = nil
    #expect(a.cell.notices & Cell.Notice.attached == 0)
    a.mix { $0 = 2 }
  }

  @Test func `one that comes to read itself has its last value there, which is a fault`() {
    let loop = Loop()
    let derived = Derived { [a, loop] in a.state + (loop.isClosed ? loop.derived?.value ?? 0 : 0) }
    loop.derived = derived
    #expect(derived.value == 1)
    loop.isClosed = true
    a.mix { $0 = 5 }
    #expect(derived.value == 6)
    #expect(FaultLog.current.take().map(\.kind) == [.derivedFromItself])
    // Nothing has changed: it is not computed again.
    #expect(derived.value == 6)
    loop.derived = nil
  }

  @Test func `of two fluxes it is notified a little later, and read at once`() {
    let other = Flux.$current.withValue(Flux()) { Substance(100) }
    let sum = Derived { [a] in a.state + other.state }
    let heard = Recorder<String>()
    let token = sum.observe { heard.append("\($0) → \($1)") }
    a.mix { $0 = 2 }
    other.mix { $0 = 200 }
    #expect(sum.value == 202)
    #expect(heard.all == ["101 → 102", "102 → 202"])
    withExtendedLifetime(token) {}
  }
}

/// Holds a derived value until it is told not to.
private final class Holder2 {
  var derived: Derived<Int>?
  init(_ derived: Derived<Int>) { self.derived = derived }
}

/// Lets a derived value read itself. Used by one thread.
private final class Loop: @unchecked Sendable {
  var derived: Derived<Int>?
  var isClosed = false
}
