import FlaskCore
import FlaskEntities
import FlaskHistory
import Synchronization
import Testing
import TestSupport

/// Optimistic changes that overlap, beside a model: after each answer the state is what the operations without the
/// failed ones make of the first state.
@Suite struct OptimisticModelTests {
  private struct Note: Identifiable, Hashable { var id: Int; var text = ""; var stars = 0 }
  private struct Point: Hashable { var x = 0; var y = 0 }

  private struct Model: Sendable, Hashable {
    var number = 0
    var text = ""
    var long = (0..<80).map { "w\($0) " }.joined()
    var place: Point? = Point()
    var more: Point?
    var name: String?
    var tags: Set<Int> = [1, 2]
    var counts = ["a": 1, "b": 2]
    var notesByKey = ["x": Note(id: 1)]
    var notes: Entities<Note> = [Note(id: 1), Note(id: 2), Note(id: 3)]
    var list = [Note(id: 1), Note(id: 2), Note(id: 3)]

    /// Inserts a letter that nothing else is.
    mutating func write(_ n: Int, after word: String) {
      let start = long.ranges(of: word).first?.upperBound ?? long.startIndex
      long.insert(Character(Unicode.Scalar(UInt16(0x4E00 + n)) ?? "?"), at: start)
    }
  }

  /// What an operation does, whatever state it finds.
  private typealias Change = @Sendable (inout Model) -> Void

  /// - Parameter n: another one for each operation, so that no two write the same value.
  private static func changes(_ n: Int) -> [Change] {
    [
      { $0.number = n },
      { ($0.number, $0.text) = (n, "\(n)") },
      { if $0.more == nil { $0.more = Point(x: n, y: n) } },
      { $0.more?.x = n },
      { $0.place?.x = n },
      { $0.place?.y = n },
      { $0.place = nil },
      { $0.name = "\(n)" },
      { $0.name = nil },
      { $0.tags.insert(n % 4) },
      { $0.tags.remove(n % 4) },
      { $0.counts["a"] = n },
      { $0.counts["c"] = n },
      { $0.counts["a"] = nil },
      { $0.notesByKey["x"]?.text = "\(n)" },
      { $0.notesByKey["y"]?.stars = n },
      { $0.notesByKey["y"] = Note(id: n) },
      { $0.notesByKey["x"] = nil },
      { $0.notes[id: 1]?.text = "\(n)" },
      { $0.notes[id: 9]?.text = "\(n)" },
      { $0.notes[id: 9]?.stars = n },
      { $0.notes.append(Note(id: 9)) },
      { $0.notes.append(Note(id: 100 + n)) },
      { $0.notes.remove(id: 1) },
      { $0.notes.remove(id: 9) },
      { $0.notes.insert(Note(id: 200 + n), at: 0) },
      { model in
        if let index = model.list.firstIndex(where: { $0.id == 2 }) { model.list[index].text = "\(n)" }
      },
      { model in
        if let index = model.list.firstIndex(where: { $0.id == 9 }) { model.list[index].text = "\(n)" }
      },
      { $0.list.append(Note(id: 100 + n)) },
      { $0.list.insert(Note(id: 200 + n), at: 0) },
      { model in
        let index = model.list.firstIndex { $0.id == 9 }
        if let index { model.list[index] = Note(id: 9) } else { model.list.append(Note(id: 9)) }
      },
      { model in model.list.removeAll { $0.id == 2 } },
      { model in model.list.removeAll { $0.id == 9 } },
      { $0.write(n, after: "w3 ") },
      { $0.write(n, after: "w50 ") },
    ]
  }

  /// An optimistic change that waits until the test says how it ended.
  private final class Waiting: Sendable {
    let answer = AsyncStream<Bool>.makeStream()
    let task = Mutex<Task<Void, any Error>?>(nil)

    func start(_ history: History, _ substance: Substance<Model>, _ change: @escaping Change) async {
      let isMade = AsyncStream<Void>.makeStream()
      let task = Task { [answer] in
        try await history.optimistic {
          substance.mix(change)
        } confirmedBy: {
          isMade.continuation.finish()
          for await holds in answer.stream where !holds { throw ServerRefused() }
        }
      }
      self.task.withLock { $0 = task }
      for await _ in isMade.stream {}
    }

    func end(_ holds: Bool) async {
      answer.continuation.yield(holds)
      answer.continuation.finish()
      _ = await task.withLock { $0 }?.result
    }
  }

  private enum Event { case begin(Int), answer(Int) }

  /// All orders in which some changes begin, one after the other, and are answered.
  private static func orders(_ count: Int) -> [[Event]] {
    func go(_ begun: Int, _ open: Set<Int>, _ events: [Event]) -> [[Event]] {
      if begun == count, open.isEmpty { return [events] }
      var all: [[Event]] = []
      if begun < count { all += go(begun + 1, open.union([begun]), events + [.begin(begun)]) }
      for number in open.sorted() { all += go(begun, open.subtracting([number]), events + [.answer(number)]) }
      return all
    }
    return go(0, [], [])
  }

  /// What an archive would save.
  private static func saved(_ substance: Substance<Model>) -> Model {
    let box = substance.cell.pinSaved()
    defer { box.unpin() }
    return box.address.assumingMemoryBound(to: Model.self).pointee
  }

  private func run(_ events: [Event], failing: Int, using random: inout SeededGenerator) async -> String? {
    let flux = Flux()
    let substance = Flux.$current.withValue(flux) { Substance(Model()) }
    let history = History(
      of: substance,
      leavingOut: Bool.random(using: &random) ? [\Model.number, \Note.stars] : []
    )
    var made: [(change: Change, number: Int?, kind: Int)] = []
    var failed: Set<Int> = []
    var open: Set<Int> = []
    var waiting: [Int: Waiting] = [:]
    var last = 0
    // Few of them, so that they meet.
    let kinds = (0..<4).map { _ in Int.random(in: 0..<Self.changes(0).count, using: &random) }
    let isAllRecorded = Bool.random(using: &random)
    func next() -> (Change, Int) {
      last += 1
      let kind = kinds.randomElement(using: &random) ?? 0
      let change = Self.changes(last)[kind]
      return isAdditionOfWhatIsThere(change) ? ({ [last] in $0.number = 1_000 + last }, -1) : (change, kind)
    }
    // A patch can't tell an element that is written over from one that is edited.
    func isAdditionOfWhatIsThere(_ change: Change) -> Bool {
      let (old, empty) = (substance.state, Model(notesByKey: [:], notes: [], list: []))
      var made = empty
      change(&made)
      return made.notes.contains(id: 9) && old.notes.contains(id: 9)
        || made.list.contains { $0.id == 9 } && old.list.contains { $0.id == 9 }
        || made.notesByKey["y"] != nil && old.notesByKey["y"] != nil
    }
    // What changes nothing says nothing of what it would have changed otherwise.
    func keep(_ change: @escaping Change, _ number: Int?, _ kind: Int) {
      var state = substance.state
      change(&state)
      if state != substance.state { made.append((change, number, kind)) }
    }
    for event in events {
      switch event {
      case .begin(let number):
        let (change, kind) = next()
        keep(change, number, kind)
        let one = Waiting()
        await one.start(history, substance, change)
        waiting[number] = one
        open.insert(number)
      case .answer(let number):
        let holds = failing & 1 << number == 0
        if !holds { failed.insert(number) }
        open.remove(number)
        await waiting[number]?.end(holds)
      }
      var expected = Model()
      for one in made where one.number.map({ !failed.contains($0) }) ?? true { one.change(&expected) }
      if substance.state != expected {
        let keys = StateDiff.changes(from: expected, to: substance.state).description
        return "\(made.map(\.kind)) \(keys): \(events), failed \(failed), kinds \(made.map(\.kind))"
      }
      if Bool.random(using: &random) {
        let (change, kind) = next()
        keep(change, nil, kind)
        if isAllRecorded || Bool.random(using: &random) {
          substance.mix(change)
        } else {
          history.perform(recorded: false) { substance.mix(change) }
        }
      }
      let unconfirmed = failed.union(open)
      var confirmed = Model()
      for one in made where one.number.map({ !unconfirmed.contains($0) }) ?? true { one.change(&confirmed) }
      let saved = Self.saved(substance)
      if saved != confirmed {
        let keys = StateDiff.changes(from: confirmed, to: saved).description
        return "archived: \(keys): \(events), failed \(failed), pending \(open), kinds \(made.map(\.kind))"
      }
    }
    let end = substance.state
    while history.canUndo { history.undo() }
    while history.canRedo { history.redo() }
    return substance.state == end || !isAllRecorded
      ? nil : "all undone and made again is not the same: \(events)"
  }

  @Test(arguments: [2, 3, 4])
  func `after any order of answers the state is what it would be without the failed changes`(count: Int) async
  {
    var random = SeededGenerator(seed: UInt64(count))
    for events in Self.orders(count) {
      for failing in 0..<1 << count {
        for _ in 0..<Proof.count([40, 8, 1][count - 2], full: [4_000, 400, 40][count - 2]) {
          if let difference = await run(events, failing: failing, using: &random) {
            Issue.record("\(difference)")
            return
          }
        }
      }
    }
  }
}
