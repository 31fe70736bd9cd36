import FlaskEntities
import FlaskHistory
import FlaskViews
import Testing

@testable import FlaskCore
@testable import KernelFixtures

/// Live views over a state that is undone.
@Suite(.ownFlux) struct UndoneViewTests {
  struct Row: Identifiable, Equatable, Sendable {
    let id: Int
    var due: Int
    var isDone = false
  }

  struct Board: Sendable { var rows = Entities((0..<100).map { Row(id: $0, due: $0 % 5) }) }

  private let board = Substance(Board())

  private static func open(_ board: Board) -> [Row] {
    board.rows.filter { !$0.isDone }.sorted { $0.due < $1.due }
  }

  @Test func `undo and redo are commits as others`() throws {
    let history = History(of: board)
    let open = board.view(\.rows).filter { !$0.isDone }.sorted { $0.due }
    let table = Table<Row>()
    let token = open.observe { table.apply($0) }
    board.mix { $0.rows.remove(id: 3) }
    board.mix { $0.rows[id: 4]?.due = -1 }
    #expect(table.elements.first?.id == 4)
    history.undo()
    history.undo()
    #expect(Array(open) == Self.open(board.state))
    #expect(table.elements == Self.open(board.state))
    #expect(table.elements.contains { $0.id == 3 })
    history.redo()
    #expect(Array(open) == Self.open(board.state))
    #expect(table.elements == Self.open(board.state))
    withExtendedLifetime(token) {}
  }
}
