import FlaskCore
import FlaskEntities
@testable import FlaskSharing
import FlaskTesting
import TestSupport

/// Random events in two to five processes that share a group, beside a model that knows which commit has written what.
///
/// The model: each change of a property of a row has a value of its own. A commit writes the changes that its process
/// had made since its last commit. The later commit wins; a change of a row that was removed is dropped.
final class SharedSimulation {
  private final class Member {
    let process: SimulatedProcess
    var pending = SharedModelPending()
    /// What the transaction in progress, or in doubt, writes, and its number.
    var flying: (changes: SharedModelPending, number: Int)?
    var isLocked = false
    var isTransacting = false

    init(_ process: SimulatedProcess) { self.process = process }
  }

  private let database = SimulatedDatabase()
  private var random: SeededGenerator
  private var members: [Member] = []
  private var model = SharedModel()
  private var value = 0
  private var transactions = 0
  private var depth = 0
  private var backup: (snapshot: SimulatedDatabase.Snapshot, model: SharedModel)?
  /// Whether failures happen.
  private var isStormy = true
  private(set) var failures: [String] = []
  private(set) var log: [String] = []

  private let isLogged: Bool

  init(seed: UInt64, isLogged: Bool = false) {
    random = SeededGenerator(seed: seed)
    self.isLogged = isLogged
  }

  private func note(_ line: @autoclosure () -> String) { if isLogged { log.append(line()) } }

  private func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  private func fail(_ message: String) {
    if failures.isEmpty { failures.append(message) }
  }

  // MARK: Events

  /// Performs random events, lets all come to rest, and compares.
  func run(events: Int) throws {
    for _ in 0..<Int.random(in: 2...5, using: &random) { try join() }
    for _ in 0..<events {
      try event()
      check()
    }
    isStormy = false
    for member in members { member.isLocked = false }
    for round in 0... {
      let count = database.commitCount(of: "books")
      for member in members { try save(member) }
      for member in members { try receive(member) }
      check()
      if database.commitCount(of: "books") == count { break }
      // What one saves in the first round, the others have after it, and have nothing to add.
      if round == 1 { return fail("at rest a process commits") }
    }
    compare()
  }

  private func join() throws {
    let member = Member(try SimulatedProcess(database))
    members.append(member)
    note("join \(members.count - 1)")
    nonisolated(unsafe) let simulation = self
    nonisolated(unsafe) let own = member
    member.process.store.onStep = { simulation.step($0, of: own) }
  }

  private func event() throws {
    guard let member = members.randomElement(using: &random) else { return }
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<45: mix(member)
    case 45..<70: try save(member)
    case 70..<85: try receive(member)
    case 85..<90: member.isLocked.toggle()
    case 90..<93: try kill(member)
    case 93..<95: backUp()
    case 95..<96: restore()
    case 96..<97: database.hours += [1, 30, -20].randomElement(using: &random) ?? 1
    default: if members.count < 5 { try join() }
    }
  }

  private func name(_ member: Member) -> Int { members.firstIndex { $0 === member } ?? -1 }

  private func mix(_ member: Member) {
    value += 1
    let value = value
    let ids = member.process.ledger.state.rows.ids.map { $0 }
    let id = ids.randomElement(using: &random)
    let place = Int.random(in: 0...max(0, ids.count), using: &random)
    let kind = Int.random(in: 0..<7, using: &random)
    note("mix \(name(member)) kind \(kind) id \(id ?? -1) value \(value)")
    switch (kind, id) {
    case (0, _):
      Flask.mix(member.process.ledger, member.process.journal) { ledger, journal in
        ledger.stamp = value
        journal.stamp = value
      }
      member.pending.stamp = value
    case (1, _):
      member.process.ledger.mix { $0.title = value }
      member.pending.values[SharedModelPlace(row: nil, property: "title")] = value
    case (2, let id?):
      member.process.ledger.mix { $0.rows[id: id]?.x = value }
      member.pending.values[SharedModelPlace(row: id, property: "x")] = value
    case (3, let id?):
      member.process.ledger.mix { $0.rows[id: id]?.y = value }
      member.pending.values[SharedModelPlace(row: id, property: "y")] = value
    case (4, let id?):
      member.process.ledger.mix { $0.rows.remove(id: id) }
      member.pending.values = member.pending.values.filter { $0.key.row != id }
      member.pending.inserted.remove(id)
      member.pending.removed.insert(id)
    case (5, let id?): member.process.ledger.mix { $0.rows.move(id: id, to: place) }
    default:
      member.process.ledger.mix { $0.rows.insert(SimulatedRow(id: value), at: place) }
      member.pending.inserted.insert(value)
    }
  }

  private func save(_ member: Member) throws {
    if member.isTransacting { return }
    member.isTransacting = true
    defer { member.isTransacting = false }
    note("save \(name(member))")
    let doubt = member.flying
    do {
      try member.process.save {
        // What is known to have landed is not written again.
        var changes = member.pending
        if let doubt, model.landed.contains(doubt.number) { changes.remove(doubt.changes) }
        transactions += 1
        member.flying = (changes, transactions)
      }
      settle(member, doubt)
      if member.flying?.number != doubt?.number || doubt == nil, let flying = member.flying {
        member.pending.remove(flying.changes)
      }
      member.flying = nil
    } catch RecordStoreError.unknownOutcome {
      note("in doubt \(name(member))")
      settle(member, doubt)
    } catch {
      note("failed \(name(member)): \(error)")
      member.flying = doubt
      if member.process.session.doubt == nil {
        settle(member, doubt)
        member.flying = nil
      }
    }
    prune(member)
  }

  /// A transaction that was in doubt is decided.
  private func settle(_ member: Member, _ doubt: (changes: SharedModelPending, number: Int)?) {
    guard let doubt else { return }
    let countsAsDone = member.process.messages.contains { $0.contains("counts as done") }
    if model.landed.contains(doubt.number) || countsAsDone { member.pending.remove(doubt.changes) }
  }

  /// Changes of rows that the process has seen removed are dropped for good.
  private func prune(_ member: Member) {
    // What is in doubt may come to be known.
    if member.process.session.doubt != nil { return }
    let ids = Set(member.process.ledger.state.rows.ids)
    let known = Set(member.process.shadowIDs)
    member.pending.values = member.pending.values.filter { place, _ in
      place.row.map { ids.contains($0) } ?? true
    }
    member.pending.removed.formIntersection(known)
  }

  private func receive(_ member: Member) throws {
    note(
      "receive \(name(member)), saving \(member.process.session.isSaving), locked \(member.isLocked)"
    )
    do { try member.process.read() } catch {}
    if !member.isTransacting, let flying = member.flying, member.process.session.doubt == nil {
      settle(member, flying)
      member.flying = nil
    }
    if !member.isLocked { member.process.install() }
    if !member.isTransacting { prune(member) }
  }

  private func kill(_ member: Member) throws {
    guard !members.contains(where: \.isTransacting), members.count > 1 else { return }
    note("kill \(name(member))")
    members.removeAll { $0 === member }
    if members.count < 2 { try join() }
  }

  private func backUp() {
    note("back up")
    backup = (database.snapshot, model)
  }

  private func restore() {
    guard !members.contains(where: \.isTransacting), let backup else { return }
    note("restore")
    database.snapshot = backup.snapshot
    model = backup.model
  }

  /// A step of a store. Anything else may happen before it.
  private func step(_ step: SimulatedStore.Step, of member: Member) -> SimulatedStore.Failure? {
    note("  \(depth) \(name(member)) is \(step)")
    if step == .committed {
      if let flying = member.flying {
        model.apply(flying.changes)
        model.landed.insert(flying.number)
      }
      compareDatabase()
    }
    guard isStormy, depth < 2 else { return nil }
    depth += 1
    defer { depth -= 1 }
    if chance(15) {
      if step == .waiting || step == .committed {
        try? event()
      } else if let other = members.randomElement(using: &random) {
        mix(other)
        if chance(50) { try? receive(other) }
      }
    }
    if chance(4) {
      note("cut \(name(member)) at \(step)")
      return chance(50) ? .cut : .unreachable
    }
    return nil
  }

  // MARK: What must hold

  private func check() {
    for member in members {
      let stamps = (member.process.ledger.state.stamp, member.process.journal.state.stamp)
      if stamps.0 != stamps.1 { fail("a mix over two substances is seen in part in \(name(member))") }
    }
  }

  private func compareDatabase() {
    var rows: Set<String> = []
    for (id, values) in model.rows {
      rows.insert(#"{"id":\#(id),"x":\#(values["x"] ?? 0),"y":\#(values["y"] ?? 0)}"#)
    }
    let found = Set(database.rows(of: "books").filter { $0.key.path == "rows" }.map(\.body))
    if rows != found {
      fail("the database has \(found.subtracting(rows)) and should have \(rows.subtracting(found))")
    }
  }

  private func compare() {
    compareDatabase()
    let first = members[0].process.ledger.state
    for member in members {
      let ledger = member.process.ledger.state
      if ledger != first { fail("0 has \(first), and \(name(member)) has \(ledger)") }
      if ledger.title != model.title || ledger.stamp != model.stamp {
        fail(
          "\(name(member)) has the title \(ledger.title), the model \(model.title); the stamps \(ledger.stamp), \(model.stamp)"
        )
      }
    }
    let rows = Dictionary(uniqueKeysWithValues: first.rows.map { ($0.id, ["x": $0.x, "y": $0.y]) })
    if rows != model.rows { fail("memory has \(rows), and the model \(model.rows)") }
  }
}
