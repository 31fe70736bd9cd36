@testable import FlaskActions
import Testing

@testable import FlaskCore
import FlaskEntities
import FlaskScopes
@testable import KernelFixtures
import TestSupport

/// Work that each member of a container has.
@Suite(.ownFlux) struct WorkOfMembersTests {
  private let session = Substance(Session())
  private let log = Recorder<String>()

  /// Work that writes when it starts, and when its task was cancelled.
  private func stay(_ name: String) async {
    log.append("\(name) starts")
    try? await Task.sleep(for: .seconds(3_600))
    log.append("\(name) ends")
  }

  private func wait(for lines: String...) async {
    await soon { log.all == lines }
    #expect(log.all == lines)
  }

  @Test func `each element of entities has its work`() async {
    session.mix { $0.rows = [Row(id: 1, title: "a")] }
    session.whilePresent(each: \.rows) { row in await stay(row.title) }
    await wait(for: "a starts")
    session.mix { $0.rows.append(Row(id: 2, title: "b")) }
    await wait(for: "a starts", "b starts")
    session.mix { $0.rows[id: 1]?.title = "changed" }
    session.mix { $0.rows.remove(id: 1) }
    await wait(for: "a starts", "b starts", "a ends")
    session.mix { $0.rows.removeAll() }
    await wait(for: "a starts", "b starts", "a ends", "b ends")
  }

  @Test func `each element of an array, and each entry of a dictionary, has its work`() async {
    session.whilePresent(each: \.list) { row in await stay(row.title) }
    session.whilePresent(each: \.table) { key, row in await stay(key + row.title) }
    session.mix { $0.list = [Row(id: 1, title: "a"), Row(id: 2, title: "b")] }
    session.mix { $0.table["k"] = Row(id: 3, title: "c") }
    await soon { log.all.count == 3 }
    #expect(log.all.sorted() == ["a starts", "b starts", "kc starts"])
    session.mix { $0.list.swapAt(0, 1) }
    session.mix { $0.list.removeAll { $0.id == 1 } }
    await soon { log.all.count == 4 }
    #expect(log.all.last == "a ends")
    session.mix {
      $0.list = []
      $0.table = [:]
    }
    await soon { log.all.count == 6 }
    #expect(log.all.suffix(2).sorted() == ["b ends", "kc ends"])
  }

  @Test func `the rows of another folder have other work`() async {
    session.mix { $0.folder = Folder(id: 1, rows: [Row(id: 7, title: "x")]) }
    session.scope(\.folder)?.whilePresent(each: \.rows) { row in await stay(row.title) }
    await wait(for: "x starts")
    session.mix { $0.folder = Folder(id: 2, rows: [Row(id: 7, title: "y")]) }
    await soon { log.all.count == 3 }
    #expect(log.all.sorted() == ["x ends", "x starts", "y starts"])
    session.mix { $0.folder = nil }
    await soon { log.all.count == 4 }
    #expect(log.all.last == "y ends")
  }

  @Test func `the same work in two rows runs twice`() async {
    session.mix { $0.rows = [Row(id: 1, title: "x"), Row(id: 2, title: "x")] }
    session.whilePresent(each: \.rows) { row in await stay(row.title) }
    await wait(for: "x starts", "x starts")
  }

  @Test func `each member has one work, whatever is committed while work is registered`() async {
    for _ in 0..<50 {
      let session = Substance(Session(folder: Folder(id: 1)))
      let started = Recorder<Int>()
      await OtherThread.run(times: 2) { number in
        if number == 0 {
          for id in 0..<20 {
            session.mix {
              $0.rows.append(Row(id: id))
              $0.list.append(Row(id: id))
              $0.folder?.rows.append(Row(id: id))
            }
          }
        } else {
          session.whilePresent(each: \.rows) { row in started.append(row.id) }
          session.whilePresent(each: \.list) { row in started.append(row.id) }
          session.scope(\.folder)?.whilePresent(each: \.rows) { row in started.append(row.id) }
        }
      }
      await soon { started.all.count >= 60 }
      #expect(started.all.sorted() == (0..<60).map { $0 / 3 })
    }
  }

  @Test func `work of all members ends at once, that of some alone`() async {
    session.mix { $0.rows = Entities((0..<100).map { Row(id: $0) }) }
    let started = Recorder<Int>()
    let ended = Recorder<Int>()
    session.whilePresent(each: \.rows) { row in
      started.append(row.id)
      try? await Task.sleep(for: .seconds(3_600))
      ended.append(row.id)
      row.mix { $0.title = "late" }
      session.mix { $0.total += 1 }
    }
    await soon { started.all.count == 100 }
    session.mix { for id in 0..<40 { $0.rows.remove(id: id) } }
    await soon { ended.all.count == 40 }
    #expect(ended.all.sorted() == Array(0..<40))
    session.mix { $0.rows.removeAll() }
    session.mix { $0.rows.append(Row(id: 7)) }
    await soon { ended.all.count == 100 && started.all.count == 101 }
    #expect(ended.all.sorted() == Array(0..<100))
    #expect(started.all.last == 7)
    #expect(session.state.total == 0)
    #expect(session.state.rows[id: 7]?.title == "")
    session.mix { $0.rows.removeAll() }
    await soon { ended.all.count == 101 }
    #expect(ended.all.count == 101)
  }

  @Test func `a scope in work is read, mixed, observed and scoped, also after its part has been removed`()
    async
  {
    session.mix {
      $0.folder = Folder(id: 1, rows: [Row(id: 2, title: "a")])
      $0.list = [Row(id: 3, title: "b")]
    }
    session.whilePresent(\.folder) { folder in
      let row = folder.scope(\.rows, id: 2)
      let token = row?.observe(\.title, isolation: nil) { old, new in log.append("\(old) \(new)") }
      row?.mix { $0.title = "c" }
      for await rows in folder.values(of: \.rows) { log.append("rows \(rows.count)") }
      log.append("\(row?.title ?? "") \(row?.isPresent ?? true) \(folder.isPresent) \(folder.id)")
      log.append("\(folder.scope(\.rows, id: 2) == nil)")
      withExtendedLifetime(token) {}
    }
    await soon { log.all.count == 2 }
    #expect(log.all == ["a c", "rows 1"])
    session.mix { $0.folder = nil }
    await soon { log.all.count == 4 }
    #expect(log.all.suffix(2) == ["c false false 1", "true"])
  }

  @Test func `hidden properties have no work`() async {
    struct Hiding: FlaskState {
      var _draft: Draft? = Draft()
      var _isOn = true
      var count = 0
    }
    let hiding = Substance(Hiding())
    let present = hiding.whilePresent(\._draft) { _ in log.append("present") }
    let on = hiding.whileTrue(\._isOn) { log.append("on") }
    hiding.mix { $0.count = 1 }
    await soon { false }
    #expect(log.all == [])
    #expect(!present.isRunning && !on.isRunning)
  }
}
