import FlaskEntities
import Observation
import TestSupport
import Testing

@testable import FlaskCore
@testable import FlaskDerived
@testable import FlaskScopes
@testable import KernelFixtures

/// Tracked closures that read values derived from members and scopes.
@Suite(.ownFlux) struct TrackedDerivedTests {
  struct Row: Identifiable, Sendable, Equatable {
    let id: Int
    var title = ""
    var count = 0
  }

  struct Board: Sendable {
    var rows = Entities((0..<10).map { Row(id: $0) })
  }

  private let board = Substance(Board())
  private let log = Recorder<String>()

  private func track(_ name: String, _ read: () -> Void) {
    withObservationTracking(read) { [log] in log.append(name) }
  }

  @Test func `a value derived from a scope is tracked as the value`() throws {
    let row = try #require(board.scope(\.rows, id: 3))
    let long = Derived { row.count > 10 }
    track("long") { _ = long.value }
    row.mix { $0.count = 5 }
    #expect(log.take() == [])
    row.mix { $0.count = 15 }
    #expect(log.take() == ["long"])
  }

  @Test
  func `the count and the order of ten thousand rows are notified when they change, and not for each row`() {
    board.mix { $0.rows = Entities((0..<10_000).map { Row(id: $0) }) }
    let count = Derived { [board] in board.rows.count }
    let order = Derived { [board] in Array(board.rows.ids) }
    track("count") { _ = count.value }
    track("order") { _ = order.value }
    board.mix { $0.rows[id: 9]?.title = "x" }
    #expect(log.take() == [])
    board.mix { $0.rows.move(id: 9, to: 0) }
    #expect(log.take() == ["order"])
    board.mix { $0.rows.remove(id: 10) }
    #expect(log.take() == ["count"])
  }
}
