import FlaskPrimitives
import FlaskViews
import Foundation
import Observation
import Testing
@testable import KernelFixtures
import TestSupport

/// When a view changes, and beside which states it is seen.
@Suite(.ownFlux) struct ViewConsistencyTests {
  let board = Substance(Board(rows: Entities((0..<100).map { Row(id: $0, title: "\($0 % 7)", due: $0 % 5) })))

  private static func open(_ board: Board) -> [Row] {
    board.rows.filter { !$0.isDone }.sorted { $0.due < $1.due }
  }

  private var open: LiveView<Row> { board.view(\.rows).filter { !$0.isDone }.sorted { $0.due } }

  @Test func `an observer of the collection sees the view of the same commit`() {
    let open = open
    let told = Recorder<Bool>()
    let tokens = [
      board.observe(\.rows) { [board] _, rows in
        told.append(Array(open.value) == Self.open(board.state) && rows.count == board.rows.count)
      },
      open.observe { [board] _ in told.append(Array(open) == Self.open(board.state)) },
    ]
    for id in 0..<20 { board.mix { $0.rows[id: id]?.isDone.toggle() } }
    #expect(told.all == Array(repeating: true, count: 41))
    withExtendedLifetime(tokens) {}
  }

  @Test func `during a mix it is the view before the mix`() {
    let open = open
    let before = open.count
    let during = Recorder<Int>()
    board.mix {
      $0.rows.removeAll()
      during.append(open.count)
    }
    #expect(during.all == [before])
    #expect(open.isEmpty)
  }

  @Test func `a view, a total and a derived value agree in a snapshot while threads mix`() async {
    let open = open
    let sum = open.sum { $0.due }
    let count = Derived { open.count }
    let token = open.observe { _ in }
    let isDone = Lock(false)
    await withTaskGroup(of: Void.self) { group in
      for part in 0..<2 {
        group.addTask { [board] in
          for step in 0..<400 {
            board.mix { board in
              board.rows[id: (step * 7 + part) % 100]?.due = step % 9
              board.rows[id: (step * 3 + part) % 100]?.isDone.toggle()
            }
          }
          isDone.withLock { $0 = true }
        }
        group.addTask { [board] in
          repeat {
            let (rows, state, total) = Flask.snapshot(open, board, sum)
            #expect(Array(rows) == Self.open(state))
            #expect(total == rows.reduce(0) { $0 + $1.due })
            let (again, number) = Flask.snapshot(open, count)
            #expect(again.count == number)
            await Task.yield()
          } while !isDone.withLock { $0 }
        }
      }
    }
    #expect(Array(open) == Self.open(board.state))
    withExtendedLifetime(token) {}
  }

  @Test func `a view over two fluxes follows both`() async {
    let people = Flux.$current.withValue(Flux()) {
      Substance(Board(people: [Person(id: 0, name: "Ada")]))
    }
    let named = open.joined(with: people.view(\.people), on: \.owner) { $1?.name ?? "nobody" }
    let told = Recorder<[String]>()
    let token = named.observe { _ in told.append(named.prefix(1).map(\.value)) }
    #expect(named.first?.value == "Ada")
    people.mix { $0.people[id: 0]?.name = "Eve" }
    #expect(named.first?.value == "Eve")
    board.mix { $0.rows[id: 0]?.due = -2 }
    #expect(told.all.last == ["Eve"])
    withExtendedLifetime(token) {}
  }

  @MainActor @Test func `a slow observer gets the changes of several commits as one`() async {
    let open = open
    let table = Table<Row>()
    let calls = Recorder<Int>()
    let token = open.observe { @MainActor changes in
      table.apply(changes)
      calls.append(changes.insertions.count)
    }
    #expect(calls.all == [100])
    // The main actor is busy, so none of the commits of the other thread can be delivered before its end.
    let thread = DispatchQueue(label: "mixes")
    thread.sync { [board] in
      for id in 0..<50 { board.mix { $0.rows.remove(id: id) } }
      board.mix { $0.rows.insert(Row(id: 200, title: "new", due: 0), at: 0) }
    }
    while table.elements != Self.open(board.state) { await Task.yield() }
    #expect(calls.all == [100, 1])
    withExtendedLifetime(token) {}
  }

  @Test func `a tracked closure hears of changes of the view alone`() {
    let open = open
    let told = Recorder<Int>()
    func track() -> Int {
      withObservationTracking {
        open.first?.id ?? -1
      } onChange: {
        told.append(1)
      }
    }
    #expect(track() == 0)
    board.mix { $0.text = "unread" }
    #expect(told.all == [])
    board.mix { $0.rows[id: 7]?.due = -1 }
    #expect(told.all == [1])
    #expect(open.first?.id == 7)
  }

  @Test func `sequences begin with the present elements`() async {
    let open = open.prefix(2)
    var values = open.values().makeAsyncIterator()
    var changes = open.elementChanges().makeAsyncIterator()
    #expect(await values.next()?.map(\.id) == [0, 5])
    #expect(await changes.next()?.insertions.map(\.element.id) == [0, 5])
    board.mix { $0.rows.remove(id: 0) }
    #expect(await values.next()?.map(\.id) == [5, 10])
    #expect(await changes.next()?.description == "- 0: 0:0/0\n+ 1: 10:3/0")
    let sections = board.view(\.rows).sections { $0.due }.values()
    for await value in sections {
      #expect(value.map(\.id) == [0, 1, 2, 3, 4])
      break
    }
  }

  @Test func `a locked flux holds the view back with the collection`() async {
    let open = open
    let lock = Flask.lock()
    let receipt = board.mix { $0.rows.removeAll() }
    #expect(open.count == 100)
    lock.release()
    _ = await receipt.outcome
    #expect(open.isEmpty)
  }

  @Test func `views leave nothing behind`() {
    weak var last: AnyObject?
    for step in 0..<200 {
      let view = board.view(\.rows).filter { $0.id > step }.sorted { $0.due }
      let token = view.observe { _ in }
      last = token
      board.mix { $0.rows[id: step % 100]?.due += 1 }
    }
    #expect(last == nil)
  }

  @Test func `a collection that is equal, with other numbers, changes nothing`() {
    let board = Substance(
      Board(
        rows: Entities((1...100).map { Row(id: $0, title: "", due: $0 % 7, owner: $0 % 3) }),
        people: [Person(id: 1, name: "a"), Person(id: 2, name: "bb")]
      )
    )
    board.mix { for id in 1..<40 { $0.rows.remove(id: id) } }
    let top = board.view(\.rows).limited(to: 3)
    let low = top.filter(with: { board.limit }) { $0.id < $1 + 1_000 }
    let (table, sorted) = (Table<Row>(), top.sorted(.descending) { $0.id })
    let named = board.view(\.rows).joined(with: board.view(\.people), on: \.owner) { $1?.name ?? "" }
    let (lengths, ids) = (named.sum { $0.value.count }, named.prefix(4).sum { $0.id })
    let token = low.observe { table.apply($0) }
    _ = (top.value, named.count, lengths.value)
    let refreshes: [@Sendable (inout Board) -> Void] = [
      { $0.rows = Entities(Array($0.rows)) },
      { board in
        for offset in board.rows.indices {
          let row = board.rows.remove(at: offset)
          board.rows.insert(row, at: offset)
        }
      },
    ]
    for (step, refresh) in refreshes.enumerated() {
      board.mix(refresh)
      #expect(top.map(\.id) == [40, 41, 42])
      #expect(top.sum { $0.id }.value == 123)
      #expect(sorted.map(\.id) == [42, 41, 40])
      #expect(top.sections { $0.due }.map(\.id).count == 3)
      board.mix {
        $0.limit = 900 + step
        $0.people[id: 2]?.name += "c"
      }
      #expect(table.elements.map(\.id) == [40, 41, 42])
      #expect(lengths.value == board.rows.reduce(0) { $0 + (board.people[id: $1.owner]?.name.count ?? 0) })
      #expect(ids.value == 40 + 41 + 42 + 43)
    }
    withExtendedLifetime(token) {}
  }
}
