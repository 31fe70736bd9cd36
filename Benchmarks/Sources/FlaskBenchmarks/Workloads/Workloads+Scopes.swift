import BenchmarkSink
import FlaskCore
import FlaskEntities
import FlaskScopes

/// W33: a row of an array of 10,000 changes, each of which is observed by a scope; the bound is a pass over the rows by
/// hand. W34: the same of entities, mixed as a whole and by the scope. W39: a scope of a container begins or ends, and
/// then a mix changes the container.
extension Workloads {
  static func rowsOfArrays() -> [Case] {
    [
      Case("W33", "hand", fires: 1) { sink in
        nonisolated(unsafe) var rows = Row.all(10_000)
        return { count in
          for _ in 0..<count {
            let old = rows
            rows[5_000].count &+= 1
            for place in rows.indices where rows[place] != old[place] {
              sink.hear(old[place].count, rows[place].count)
            }
          }
        }
      },
      Case("W33", "scopes", fires: 1) { sink in
        let table = Substance(Table(list: Row.all(10_000)))
        let tokens = observe(table, \.list, sink)
        return { count in
          withExtendedLifetime(tokens) {
            for _ in 0..<count { table.mix { $0.list[5_000].count &+= 1 } }
          }
        }
      },
    ]
  }

  static func rowsOfEntities() -> [Case] {
    [
      Case("W34", "a mix", fires: 1) { sink in
        let table = Substance(Table(rows: Entities(Row.all(10_000))))
        let tokens = observe(table, sink)
        return { count in
          withExtendedLifetime(tokens) {
            for _ in 0..<count { table.mix { $0.rows[id: 5_000]?.count &+= 1 } }
          }
        }
      },
      Case("W34", "a mix by the scope", fires: 1) { sink in
        let table = Substance(Table(rows: Entities(Row.all(10_000))))
        let tokens = observe(table, sink)
        let row = table.scope(\.rows, id: 5_000)
        return { count in
          withExtendedLifetime(tokens) {
            for _ in 0..<count { row?.mix { $0.count &+= 1 } }
          }
        }
      },
    ]
  }

  static func scopesThatComeAndGo() -> [Case] {
    [100, 10_000, 100_000].flatMap { size in
      [
        Case("W39", "\(size) scopes", fires: 1) { sink in
          let table = Substance(Table(rows: Entities(Row.all(size))))
          let tokens = observe(table, sink)
          return { count in
            withExtendedLifetime(tokens) {
              for turn in 0..<count {
                table.mix { $0.rows[id: turn % size]?.count &+= 1 }
              }
            }
          }
        },
        Case("W39", "\(size) scopes, one begins and ends", fires: 1) { sink in
          let table = Substance(Table(rows: Entities(Row.all(size))))
          let tokens = observe(table, sink)
          return { count in
            withExtendedLifetime(tokens) {
              for turn in 0..<count {
                let row = table.scope(\.rows, id: turn % size)?.observe(\.isOpen) { _, _ in }
                table.mix { $0.rows[id: turn % size]?.count &+= 1 }
                withExtendedLifetime(row) {}
              }
            }
          }
        },
      ]
    }
  }

  private static func observe(_ table: Substance<Table>, _ sink: Sink) -> [SubstanceObservation] {
    table.rows.compactMap { row in
      table.scope(\.rows, id: row.id)?.observe(\.count) { sink.hear($0, $1) }
    }
  }

  private static func observe(
    _ table: Substance<Table>,
    _ list: WritableKeyPath<Table, [Row]>,
    _ sink: Sink
  ) -> [SubstanceObservation] {
    table.state[keyPath: list].compactMap { row in
      table.scope(list, id: row.id)?.observe(\.count) { sink.hear($0, $1) }
    }
  }
}

private struct Row: Identifiable, Equatable, Sendable {
  let id: Int
  var title: String
  var count = 0
  var isOpen = false

  static func all(_ count: Int) -> [Row] {
    (0..<count).map { Row(id: $0, title: "a row whose title lives on the heap \($0)") }
  }
}

private struct Table: Sendable {
  var list: [Row] = []
  var rows = Entities<Row>()
}
