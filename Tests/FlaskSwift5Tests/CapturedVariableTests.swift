import FlaskActions
import FlaskCore
import FlaskDerived
import FlaskEntities
import FlaskScopes
import FlaskSwift5
import FlaskViews
import Testing

/// Closures of clients in Swift 5 mode, which change variables that they capture: one test for each kind of call.
@Suite struct CapturedVariableTests {
  struct Row: Codable, Sendable, Identifiable, Equatable {
    let id: Int
    var title = ""
  }

  struct Table: FlaskState {
    var count = 0
    var rows: [Row] = [Row(id: 1)]
    var many: Entities<Row> = [Row(id: 1)]
    var selected: Row?
  }

  enum prop: StateProp { case count }

  struct Add: FluxAction { var amount = 1 }
  struct Multiply: FluxAction { let factor: Int }
  struct Rename: FluxAction { let title: String }

  final class Owner {}

  let flux = Flux()
  let table: Substance<Table>

  init() {
    table = Flux.$current.withValue(flux) { Substance(Table(), name: "table") }
  }

  @Test func `mixes of one, two, three and four substances`() {
    let flux = flux
    let others = Flux.$current.withValue(flux) { (1...3).map { Substance($0) } }
    var mixes = 0
    table.mix { table in
      mixes += 1
      table.count = mixes
    }
    Flask.mix(table, others[0]) { _, number in
      mixes += 10
      number += mixes
    }
    Flask.mix(table, others[0], others[1]) { _, _, number in
      mixes += 100
      number = mixes
    }
    Flask.mix(table, others[0], others[1], others[2]) { _, _, _, number in
      mixes += 1_000
      number = mixes
    }
    #expect(mixes == 1_111)
    #expect(table.count == 1)
    #expect(others.map(\.state) == [12, 111, 1_111])
  }

  @Test func `a mix that waits for a lock`() {
    var mixes = 0
    let lock = flux.lock()
    table.mix { table in
      mixes += 1
      table.count = 5
    }
    #expect(mixes == 0)
    lock.release()
    #expect(mixes == 1)
    #expect(table.count == 5)
  }

  @Test func `observers of a key, a key path, a case and values`() {
    var heard: [String] = []
    let tokens = [
      table.observe(key: "count") { heard.append("key \($0.key())") },
      table.observe(\.count) { old, new in heard.append("path \(old) \(new)") },
      table.observe(prop.count) { heard.append("case \($0.key())") },
      table.observe(valuesOf: \.count) { heard.append("value \($0)") },
      table.observe(elements: \.rows) { heard.append("elements \($0.insertions.count)") },
    ]
    table.mix { table in
      table.count = 1
      table.rows.append(Row(id: 2))
    }
    #expect(
      heard.sorted() == ["case count", "elements 1", "key count", "path 0 1", "value 0", "value 1"]
    )
    tokens.forEach { $0.cancel() }
  }

  @Test func `reactors and chains`() {
    var mixes = 0
    var reactions = 0
    let owner = Owner()
    let reactor = Flask.reactor(attachedTo: owner, mixing: [table]) { _, _ in reactions += 1 }
    reactor.mix(table) { table in
      mixes += 1
      table.prop.count = 1
    }.with(table) { table in
      mixes += 10
      table.prop.count += 1
    }.react()
    #expect((mixes, reactions, table.count) == (11, 1, 2))
  }

  @Test func `closures in the queue of a flux`() {
    var calls = 0
    flux.performInFluxQueue { calls += 1 }
    Flux.$current.withValue(flux) { _ = Flask.performInFluxQueue { calls += 10 } }
    #expect(calls == 11)
  }

  @Test func `mixes and observers of a scope`() throws {
    var heard: [String] = []
    let scope = table.scope(\.rows)
    let row = try #require(table.scope(\.rows, id: 1))
    let tokens = [
      scope.observe { _, new in heard.append("part \(new.count)") },
      row.observe(\.title) { _, new in heard.append("title \(new)") },
      row.observePresence { heard.append("presence \($0)") },
      table.scope(\.self).observe(elements: \.many) { heard.append("many \($0.insertions.count)") },
    ]
    var mixes = 0
    row.mix { row in
      mixes += 1
      row.title = "x"
    }
    table.mix { $0.many.append(Row(id: 2)) }
    table.mix { $0.rows = [] }
    #expect(mixes == 1)
    #expect(heard.sorted() == ["many 1", "part 0", "part 1", "presence false", "title x"])
    tokens.forEach { $0.cancel() }
  }

  @Test func `observers of a derived value and of a view`() {
    var heard: [String] = []
    let table = table
    let rows = Derived { table.rows }
    let view = table.view(\.many).filter { $0.title != "hidden" }
    let tokens = [
      rows.observe { _, new in heard.append("rows \(new.count)") },
      rows.observe(\.count) { _, new in heard.append("count \(new)") },
      rows.observe(elements: \.self) { heard.append("elements \($0.insertions.count)") },
      view.observe { heard.append("view \($0.insertions.count)") },
    ]
    table.mix { $0.rows.append(Row(id: 2)) }
    table.mix { $0.many.append(Row(id: 3)) }
    #expect(heard.sorted() == ["count 2", "elements 1", "rows 2", "view 1", "view 1"])
    tokens.forEach { $0.cancel() }
  }

  @Test func `reducers of a state, of a part and of an optional`() {
    var reduced: [String] = []
    let (store, dispatcher) = Flux.$current.withValue(flux) {
      (FluxStore(initialState: Table(selected: Row(id: 5))), FluxDispatcher())
    }
    store.registerReducer(for: Add.self) { (state: inout Table, action: Add) in
      reduced.append("state")
      state.count += action.amount
    }
    store.registerReducer(for: Multiply.self, at: \.count) { (count: inout Int, action: Multiply) in
      reduced.append("part")
      count *= action.factor
    }
    store.registerReducer(for: Rename.self, at: \.selected) { (row: inout Row, action: Rename) in
      reduced.append("optional")
      row.title = action.title
    }
    dispatcher.register(workers: [store])
    dispatcher.dispatch(Add(amount: 2))
    dispatcher.dispatch(Multiply(factor: 10))
    dispatcher.dispatch(Rename(title: "x"))
    #expect(reduced == ["state", "part", "optional"])
    #expect(store.state.count == 20)
    #expect(store.state.selected?.title == "x")
    dispatcher.unregisterAll()
  }

  @Test func `handlers and effects of a middleware`() async {
    var handled = 0
    let dispatcher = Flux.$current.withValue(flux) { FluxDispatcher() }
    let middleware = FluxMiddleware()
    middleware.registerHandler(for: Add.self) { action in handled += action.amount }
    dispatcher.register(workers: [middleware])
    await dispatcher.dispatch(Add(amount: 3)).finished
    #expect(handled == 3)
    dispatcher.unregisterAll()
  }
}
