import FlaskPrimitives
import FlaskViews

/// A board with several views on each other, whose observers keep tables, and the same lists computed from scratch.
struct ViewProgram {
  let board = Substance(Board())
  private var dice: Dice
  private var lastID = 0
  private var pairs: [Pair] = []

  /// A view, a table that its observer keeps, and the list that both must equal.
  private struct Pair {
    let name: String
    let difference: (Board) -> String?
  }

  init(seed: Int) {
    dice = Dice(seed)
    let board = board
    let rows = board.view(\.rows)
    let open = rows.filter { !$0.isDone }
    let byDue = open.sorted { $0.due }
    let found = byDue.filter(with: { board.text }) { row, text in row.title.contains(text) || text.isEmpty }
    check("rows", rows) { Array($0.rows) }
    check("open", open) { $0.rows.filter { !$0.isDone } }
    check("byDue", byDue) { $0.rows.filter { !$0.isDone }.sorted { $0.due < $1.due } }
    check("found", found) { board in
      board.rows.filter { !$0.isDone && (board.text.isEmpty || $0.title.contains(board.text)) }
        .sorted { $0.due < $1.due }
    }
    check("titles", rows.sorted { ($0.title, -$0.due) }) {
      $0.rows.sorted { ($0.title, -$0.due) < ($1.title, -$1.due) }
    }
    check("twice", byDue.sorted(.descending) { $0.title }) {
      $0.rows.filter { !$0.isDone }.sorted { $0.due < $1.due }.sorted { $0.title > $1.title }
    }
    check("window", byDue.limited(to: 4, offset: 2)) {
      Array($0.rows.filter { !$0.isDone }.sorted { $0.due < $1.due }.dropFirst(2).prefix(4))
    }
    check("behind the window", byDue.prefix(5).filter { $0.due > 2 }.sorted { $0.title }) {
      $0.rows.filter { !$0.isDone }.sorted { $0.due < $1.due }.prefix(5).filter { $0.due > 2 }
        .sorted { $0.title < $1.title }
    }
    check("list", board.view(\.list).filter { !$0.isDone }.sorted { $0.due }) {
      $0.list.filter { !$0.isDone }.sorted { $0.due < $1.due }
    }
  }

  /// Compares a view with a list, when it is read and by an observer. Of two programs one has the observer.
  private mutating func check<Element: Equatable>(
    _ name: String,
    _ view: LiveView<Element>,
    _ list: @escaping (Board) -> [Element]
  ) {
    let table = Table<Element>()
    let isObserved = dice.roll(4) > 0
    let token = isObserved ? view.observe { table.apply($0) } : nil
    let isRead = dice.roll(3)
    pairs.append(
      Pair(name: name) { board in
        let list = list(board)
        defer { withExtendedLifetime(token) {} }
        if isObserved, table.elements != list { return "the table has \(table.elements), not \(list)" }
        if isObserved, isRead == 0 { return nil }
        let value = view.value
        if Array(value) != list { return "it shows \(value), not \(list)" }
        for (offset, element) in list.enumerated() where value.index(id: element.id) != offset {
          return "\(element.id) is at \(value.index(id: element.id) as Any), not \(offset)"
        }
        return nil
      }
    )
  }

  mutating func step() {
    let text = ["", "a", "b", "ab"][dice.roll(4)]
    let isParameter = dice.roll(8) == 0
    var state = board.state
    if isParameter {
      state.text = text
    } else {
      for _ in 0..<[1, 1, 1, 2, 5, 40][dice.roll(6)] { Self.edit(&state, &dice, &lastID) }
    }
    board.mix { [state] in $0 = state }
  }

  private static func edit(_ board: inout Board, _ dice: inout Dice, _ lastID: inout Int) {
    func row() -> Row {
      lastID += 1
      return Row(
        id: lastID,
        title: ["a", "b", "ab", "c"][dice.roll(4)],
        due: dice.roll(6),
        owner: dice.roll(5),
        isDone: dice.roll(4) == 0
      )
    }
    let count = board.rows.count
    switch dice.roll(count > 60 ? 12 : 10) {
    case 0, 1: board.rows.insert(row(), at: dice.roll(count + 1))
    case 2: for _ in 0..<dice.roll(12) { board.rows.append(row()) }
    case 3 where count > 0: board.rows[dice.roll(count)].due = dice.roll(6)
    case 4 where count > 0: board.rows[dice.roll(count)].title = ["a", "b", "ab"][dice.roll(3)]
    case 5 where count > 0: board.rows[dice.roll(count)].isDone.toggle()
    case 6 where count > 0: board.rows.move(id: board.rows[dice.roll(count)].id, to: dice.roll(count))
    case 7 where count > 0: board.rows.swapAt(dice.roll(count), dice.roll(count))
    case 8 where !board.list.isEmpty: board.list.swapAt(0, dice.roll(board.list.count))
    case 9:
      board.list.insert(row(), at: dice.roll(board.list.count + 1))
      if board.list.count > 10 { board.list.remove(at: dice.roll(10)) }
      board.list[dice.roll(board.list.count)].due = dice.roll(6)
    case 10 where count > 0: board.rows.remove(at: dice.roll(count))
    case 11 where count > 0:
      let start = dice.roll(count)
      board.rows.removeSubrange(start..<min(count, start + dice.roll(30)))
    default: break
    }
  }

  /// Says which view differs from its list, and how; `nil` if none does.
  func difference() -> String? {
    let state = board.state
    for pair in pairs {
      if let difference = pair.difference(state) { return "\(pair.name): \(difference)" }
    }
    return nil
  }
}

/// A table that applies the changes of a view, and nothing else.
final class Table<Element: Identifiable & Sendable>: Sendable {
  private let content = Lock<[Element]>([])

  var elements: [Element] { content.withLock { $0 } }

  func apply(_ changes: ElementChanges<Element>) {
    content.withLock { elements in
      var coming = changes.insertions.map { ($0.offset, $0.element) }
      coming += changes.moves.map { ($0.newOffset, $0.element) }
      for offset in (changes.removals.map(\.offset) + changes.moves.map(\.oldOffset)).sorted().reversed() {
        elements.remove(at: offset)
      }
      for (offset, element) in coming.sorted(by: { $0.0 < $1.0 }) { elements.insert(element, at: offset) }
      for update in changes.updates { elements[update.newOffset] = update.element }
    }
  }
}
