import FlaskHistory
import Testing
import TestSupport

/// A state of which every part is a number, or none.
private struct Cell: Sendable, Equatable {
  var a = 0
  var text = "0"
  var maybe: Int?
  var entries: [Int: Int] = [:]

  static let keys = 8

  subscript(key: Int) -> Int? {
    get {
      switch key {
      case 0: a
      case 1: Int(text)
      case 2: maybe
      default: entries[key]
      }
    }
    set {
      switch key {
      case 0: a = newValue ?? 0
      case 1: text = "\(newValue ?? 0)"
      case 2: maybe = newValue
      default: entries[key] = newValue
      }
    }
  }

  var values: [Int?] { (0..<Cell.keys).map { self[$0] } }
}

/// What undo and redo should do, as simply as can be: all values in one list, and a step as what they were and became.
private struct HistoryModel {
  struct Change {
    var old: Int?
    var new: Int?
  }
  struct Step {
    var name: String?
    var changes: [Int: Change] = [:]
  }

  let limit: Int
  var values = [Int?](repeating: nil, count: 3 * Cell.keys)
  var undo: [Step] = []
  var redo: [Step] = []
  var isOpen = false

  init(limit: Int) {
    self.limit = limit
    for cell in 0..<3 { for key in 0..<2 { values[cell * Cell.keys + key] = 0 } }
  }

  mutating func change(_ new: [Int?], named name: String?, isRecorded: Bool) {
    var changes: [Int: Change] = [:]
    for (place, value) in new.enumerated() where value != values[place] {
      changes[place] = Change(old: values[place], new: value)
    }
    values = new
    if changes.isEmpty { return }
    guard isRecorded else { return isOpen = false }
    redo = []
    if isOpen, let name, let last = undo.last, last.name == name {
      for (place, change) in changes { add(change, at: place) }
      if undo[undo.count - 1].changes.isEmpty {
        undo.removeLast()
        return isOpen = false
      }
    } else {
      undo.append(Step(name: name, changes: changes))
      if undo.count > limit { undo.removeFirst() }
    }
    isOpen = true
  }

  private mutating func add(_ change: Change, at place: Int) {
    let top = undo.count - 1
    guard let first = undo[top].changes[place] else { return undo[top].changes[place] = change }
    let together = Change(old: first.old, new: change.new)
    // What comes and goes again has not changed.
    undo[top].changes[place] = together.old == together.new ? nil : together
  }

  /// False if the step was refused.
  mutating func goBack(refusing: Bool) -> Bool {
    guard var step = undo.popLast() else { return true }
    isOpen = false
    let fitting = step.changes.filter { values[$0.key] == $0.value.new }
    if refusing, fitting.count < step.changes.count {
      undo.append(step)
      return false
    }
    for (place, change) in fitting { values[place] = change.old }
    step.changes = fitting
    if !fitting.isEmpty { redo.append(step) }
    return true
  }

  mutating func goOn(refusing: Bool) -> Bool {
    guard var step = redo.popLast() else { return true }
    isOpen = false
    let fitting = step.changes.filter { values[$0.key] == $0.value.old }
    if refusing, fitting.count < step.changes.count {
      redo.append(step)
      return false
    }
    for (place, change) in fitting { values[place] = change.new }
    step.changes = fitting
    if !fitting.isEmpty { undo.append(step) }
    return true
  }
}

@Suite struct HistoryModelTests {
  @Test func `random edits, undos and redos over three substances do what a simple model does`() throws {
    let seed = Workload.seed
    var generator = SeededGenerator(seed: seed)
    let cells = Flux.$current.withValue(Flux()) { (0..<3).map { _ in Substance(Cell()) } }
    let history = History(of: cells[0], cells[1], cells[2], steps: 40)
    var model = HistoryModel(limit: 40)
    for number in 0..<Workload.count(10_000, full: 1_000_000) {
      switch Int.random(in: 0..<20, using: &generator) {
      case 0..<10: edit(cells, history, &model, using: &generator)
      case 10..<15:
        let isRefusing = Bool.random(using: &generator)
        let outcome = history.undo(isRefusing ? .refuse : .keep).outcomeIfKnown
        try #require(model.goBack(refusing: isRefusing) != isFailed(outcome), "\(number), seed \(seed)")
      case 15..<19:
        let isRefusing = Bool.random(using: &generator)
        let outcome = history.redo(isRefusing ? .refuse : .keep).outcomeIfKnown
        try #require(model.goOn(refusing: isRefusing) != isFailed(outcome), "\(number), seed \(seed)")
      default:
        history.endStep()
        model.isOpen = false
      }
      let values = cells.flatMap { $0.state.values }
      if values != model.values || history.undoCount != model.undo.count
        || history.redoCount != model.redo.count
      {
        #expect(values == model.values, "\(number), seed \(seed)")
        #expect(history.undoCount == model.undo.count, "\(number), seed \(seed)")
        #expect(history.redoCount == model.redo.count, "\(number), seed \(seed)")
        return
      }
    }
  }

  private func isFailed(_ outcome: FluxOutcome?) -> Bool {
    if case .failed? = outcome { true } else { false }
  }

  private func edit(
    _ cells: [Substance<Cell>],
    _ history: History,
    _ model: inout HistoryModel,
    using generator: inout SeededGenerator
  ) {
    var new = cells.map(\.state)
    for _ in 0..<Int.random(in: 1...3, using: &generator) {
      let key = Int.random(in: 0..<Cell.keys, using: &generator)
      let isNone = key > 1 && Bool.random(using: &generator)
      new[Int.random(in: 0..<3, using: &generator)][key] =
        isNone ? nil : Int.random(in: 0..<4, using: &generator)
    }
    let (a, b, c) = (new[0], new[1], new[2])
    let name = [nil, "one", "one", "two"][Int.random(in: 0..<4, using: &generator)]
    let isRecorded = Int.random(in: 0..<5, using: &generator) > 0
    if name == nil, isRecorded {
      Flask.mix(cells[0], cells[1], cells[2]) {
        ($0, $1, $2) = (a, b, c)
      }
    } else {
      history.mix(name, recorded: isRecorded) {
        cells[0].prop = a
        cells[1].prop = b
        cells[2].prop = c
      }
    }
    model.change(new.flatMap(\.values), named: name, isRecorded: isRecorded)
  }
}
