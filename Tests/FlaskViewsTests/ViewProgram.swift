import FlaskPrimitives
import FlaskViews
import TestSupport
@testable import KernelFixtures

/// A board with several views on each other, whose observers keep tables, and the same lists computed from scratch.
struct ViewProgram {
  let board = Substance(Board())
  var dice: Dice
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
    checkMore()
    checkCompositions()
  }

  mutating func addPair(_ name: String, _ difference: @escaping (Board) -> String?) {
    pairs.append(Pair(name: name, difference: difference))
  }

  /// The views that make something of elements, and their totals.
  private mutating func checkMore() {
    let board = board
    let rows = board.view(\.rows)
    let open = rows.filter { !$0.isDone }
    let people = board.view(\.people)
    check("mapped", open.mapped { $0.title + "?" }.filter { $0.value != "a?" }) {
      $0.rows.filter { !$0.isDone && $0.title != "a" }.map { Identified(id: $0.id, value: $0.title + "?") }
    }
    let named = open.sorted { $0.due }.joined(with: people, on: \.owner) {
      "\($0.title) of \($1?.name ?? "nobody")"
    }
    func names(_ board: Board) -> [Identified<String, Int>] {
      board.rows.filter { !$0.isDone }.sorted { $0.due < $1.due }.map {
        Identified(id: $0.id, value: "\($0.title) of \(board.people[id: $0.owner]?.name ?? "nobody")")
      }
    }
    check("joined", named, names)
    check("by name", named.sorted { $0.value }.prefix(7)) {
      Array(names($0).sorted { $0.value < $1.value }.prefix(7))
    }
    let known = people.filter { $0.name != "Ada" }.sorted { $0.name }.prefix(2)
    check(
      "joined twice",
      rows.joined(with: people, on: { $0.owner == 0 ? nil : $0.owner }) { ($0, $1?.name.count ?? -1) }
        .joined(with: known, on: { $0.value.1 }) { Pairing(row: $0.value.0, name: $1?.name) }
        .filter { $0.value.row.due < 4 }
    ) { board in
      let known = board.people.filter { $0.name != "Ada" }.sorted { $0.name < $1.name }.prefix(2)
      return board.rows.filter { $0.due < 4 }.map { row in
        let person = row.owner == 0 ? nil : board.people[id: row.owner]
        let key = person?.name.count ?? -1
        return Identified(id: row.id, value: Pairing(row: row, name: known.first { $0.id == key }?.name))
      }
    }
    check("sum", open.sum { $0.due }) { $0.rows.filter { !$0.isDone }.reduce(0) { $0 + $1.due } }
    check("double", rows.prefix(9).sum { Double($0.due) }) {
      $0.rows.prefix(9).reduce(0) { $0 + Double($1.due) }
    }
    check("average", open.average { $0.due }) { board in
      let open = board.rows.filter { !$0.isDone }
      return open.isEmpty ? nil : Double(open.reduce(0) { $0 + $1.due }) / Double(open.count)
    }
    check("min", open.min { $0.due }) { $0.rows.filter { !$0.isDone }.min { $0.due < $1.due } }
    check("max", rows.max { ($0.title) }) { $0.rows.sorted { $0.title > $1.title }.first }
    check(
      "counts",
      named.reduce([:] as [String: Int]) {
        $0[$1.value, default: 0] += 1
      } removing: {
        $0[$1.value] = $0[$1.value] == 1 ? nil : $0[$1.value].map { $0 - 1 }
      }
    ) { names($0).reduce(into: [:]) { $0[$1.value, default: 0] += 1 } }
    checkSections("names", named.sections { $0.value.count % 5 }, names) { $0.value.count % 5 }
    checkSections("sections", open.sorted { $0.due }.sections { $0.title }) {
      $0.rows.filter { !$0.isDone }.sorted { $0.due < $1.due }
    } key: {
      $0.title
    }
    checkSections(
      "owners",
      rows.filter(with: { board.text }) { $0.title >= $1 }.sections(.descending) { -$0.owner }
    ) {
      board in
      board.rows.filter { $0.title >= board.text }
    } key: {
      -$0.owner
    } areInOrder: {
      $0 > $1
    }
  }

  struct Pairing: Equatable, Sendable {
    let row: Row
    let name: String?
  }

  private mutating func check<Value: Equatable>(
    _ name: String,
    _ derived: Derived<Value>,
    _ expected: @escaping (Board) -> Value
  ) {
    let last = Recorder<Value>()
    let isObserved = dice.roll(2) == 0
    let token = isObserved ? derived.observe { last.append($1) } : nil
    pairs.append(
      Pair(name: name) { board in
        let expected = expected(board)
        defer { withExtendedLifetime(token) {} }
        if let told = last.all.last, told != expected { return "\(told) was told, not \(expected)" }
        return derived.value == expected ? nil : "it is \(derived.value), not \(expected)"
      }
    )
  }

  private mutating func checkSections<Key: Comparable & Sendable, Row: Identifiable & Sendable>(
    _ name: String,
    _ view: SectionedView<Key, Row>,
    _ list: @escaping (Board) -> [Row],
    key: @escaping (Row) -> Key,
    areInOrder: @escaping (Key, Key) -> Bool = { $0 < $1 }
  ) {
    let table = SectionTable<Key, Row>()
    let isObserved = dice.roll(3) > 0
    let token = isObserved ? view.observe { table.apply($0) } : nil
    pairs.append(
      Pair(name: name) { board in
        let sections = Dictionary(grouping: list(board), by: key).sorted { areInOrder($0.key, $1.key) }
        let expected = sections.map { "\($0.key): \($0.value)" }
        defer { withExtendedLifetime(token) {} }
        if isObserved, table.texts != expected { return "the table has \(table.texts), not \(expected)" }
        let shown = view.map(\.description)
        return shown == expected ? nil : "it shows \(shown), not \(expected)"
      }
    )
  }

  /// Compares a view with a list, when it is read and by an observer. Of two programs one has the observer.
  mutating func check<Element: Equatable>(
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
    let count = state.rows.count
    if dice.roll(10) == 0 {
      // An equal collection, whose elements have other numbers.
      state.rows = Entities(Array(state.rows))
    } else if dice.roll(8) == 0, count > 2 {
      // What is shown may be equal, with another number.
      state.rows.swapAt(0, 1 + dice.roll(count - 1))
      state.rows.remove(at: 0)
    } else if dice.roll(8) == 0 {
      Self.editPeople(&state, &dice)
    } else if isParameter {
      state.text = text
    } else {
      for _ in 0..<[1, 1, 1, 2, 5, 40][dice.roll(6)] { Self.edit(&state, &dice, &lastID) }
    }
    board.mix { [state] in $0 = state }
  }

  private static func editPeople(_ board: inout Board, _ dice: inout Dice) {
    if dice.roll(3) == 0 {
      board.people.remove(id: dice.roll(5))
    } else {
      board.people.append(Person(id: dice.roll(5), name: ["Ada", "Bob", "Cleo", "Di", "Eve"][dice.roll(5)]))
    }
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
    switch dice.roll(count > 60 ? 14 : 12) {
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
    case 10, 11:
      editPeople(&board, &dice)
      if count > 0 { board.rows[dice.roll(count)].owner = dice.roll(5) }
    case 12 where count > 0: board.rows.remove(at: dice.roll(count))
    case 13 where count > 0:
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
