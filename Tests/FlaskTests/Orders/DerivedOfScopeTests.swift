import TestSupport
import Testing

@testable import FlaskCore
@testable import FlaskDerived
@testable import FlaskScopes
@testable import KernelFixtures

/// Values that are derived from a part of a state.
@Suite(.ownFlux) struct DerivedOfScopeTests {
  struct Todos: Sendable, Equatable {
    var filter = ""
    var note = ""
  }

  private let runs = Recorder<Int>()

  @Test func `a scope is read`() {
    let todos = Substance(Todos())
    let filter = todos.scope(\.filter)
    let length = Derived { [runs] in
      runs.append(0)
      return filter.value.count
    }
    #expect(length.value == 0)
    todos.mix { $0.note = "x" }
    #expect(length.value == 0)
    #expect(runs.count == 1)
    filter.mix { $0 = "abc" }
    #expect(length.value == 3)
  }
}
