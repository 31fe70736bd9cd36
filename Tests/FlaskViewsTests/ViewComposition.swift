import FlaskViews
import TestSupport

@testable import KernelFixtures

/// A view that random operators have made, and the same list by hand. All operators keep the type of the elements, so
/// each may follow each.
struct ViewComposition {
  typealias Element = Identified<Row, Int>

  private(set) var name = "rows"
  private(set) var view: LiveView<Element>
  private(set) var list: (Board) -> [Element]

  init(of board: Substance<Board>) {
    view = board.view(\.rows).mapped { $0 }
    list = { $0.rows.map { Identified(id: $0.id, value: $0) } }
  }

  mutating func append(_ dice: inout Dice, _ board: Substance<Board>) {
    let list = list
    let limit = dice.roll(6)
    switch dice.roll(9) {
    case 0:
      name += ".prefix(\(limit))"
      view = view.prefix(limit)
      self.list = { Array(list($0).prefix(limit)) }
    case 1:
      name += ".limited(to: \(limit), offset: 1)"
      view = view.limited(to: limit, offset: 1)
      self.list = { Array(list($0).dropFirst().prefix(limit)) }
    case 2:
      name += ".filter"
      view = view.filter { !$0.value.isDone }
      self.list = { list($0).filter { !$0.value.isDone } }
    case 3:
      name += ".filter(with:)"
      view = view.filter(with: { board.text }) { $0.value.title >= $1 }
      self.list = { board in list(board).filter { $0.value.title >= board.text } }
    case 4:
      name += ".sorted"
      view = view.sorted { $0.value.due }
      self.list = { list($0).sorted { $0.value.due < $1.value.due } }
    case 5:
      name += ".sorted(.descending)"
      view = view.sorted(.descending) { $0.value.title }
      self.list = { list($0).sorted { $0.value.title > $1.value.title } }
    case 6:
      name += ".mapped"
      view = view.mapped { Self.changed($0.value, $0.value.due + 1) }.mapped { $0.value }
      self.list = { list($0).map { Identified(id: $0.id, value: Self.changed($0.value, $0.value.due + 1)) } }
    case 7:
      name += ".joined"
      view = view.joined(with: board.view(\.people), on: \.value.owner) {
        Self.changed($0.value, $1?.name.count ?? 0)
      }
      self.list = { board in
        list(board).map {
          Identified(
            id: $0.id,
            value: Self.changed($0.value, board.people[id: $0.value.owner]?.name.count ?? 0)
          )
        }
      }
    default:
      name += ".joined(prefix)"
      let known = board.view(\.people).sorted { $0.name }.prefix(3)
      view = view.joined(with: known, on: \.value.owner) { Self.changed($0.value, $1 == nil ? 7 : 2) }
      self.list = { board in
        let known = board.people.sorted { $0.name < $1.name }.prefix(3)
        return list(board).map { row in
          Identified(
            id: row.id,
            value: Self.changed(row.value, known.contains { $0.id == row.value.owner } ? 2 : 7)
          )
        }
      }
    }
  }

  private static func changed(_ row: Row, _ due: Int) -> Row {
    var row = row
    row.due = due
    return row
  }
}

/// A number of which `-` does not undo `+`.
struct Saturating: AdditiveArithmetic, Sendable {
  var value = 0

  static var zero: Saturating { Saturating() }
  static func + (a: Saturating, b: Saturating) -> Saturating { Saturating(value: min(9, a.value + b.value)) }
  static func - (a: Saturating, b: Saturating) -> Saturating { Saturating(value: max(-9, a.value - b.value)) }
}

extension ViewProgram {
  /// Views of up to six operators in any order, and each total of each of them. A total is sometimes made when its view
  /// is old, and a view or a total is not always read, so that results of different moments meet.
  mutating func checkCompositions() {
    for _ in 0..<6 {
      var composition = ViewComposition(of: board)
      for _ in 0...dice.roll(6) { composition.append(&dice, board) }
      let name = composition.name
      let view = composition.view
      let list = composition.list
      check(name, view, list)
      checkTotal("\(name).sum", { view.sum { $0.value.due } }) { list($0).reduce(0) { $0 + $1.value.due } }
      checkTotal("\(name).sum of doubles", { view.sum { Double($0.value.due) / 2 } }) {
        list($0).reduce(0) { $0 + Double($1.value.due) / 2 }
      }
      checkTotal("\(name).sum of numbers that saturate", { view.sum { Saturating(value: $0.value.due) } }) {
        list($0).reduce(.zero) { $0 + Saturating(value: $1.value.due) }
      }
      checkTotal("\(name).average", { view.average { $0.value.due } }) { board in
        let list = list(board)
        return list.isEmpty ? nil : Double(list.reduce(0) { $0 + $1.value.due }) / Double(list.count)
      }
      checkTotal("\(name).min", { view.min { $0.value.due } }) {
        list($0).min { $0.value.due < $1.value.due }
      }
      checkTotal("\(name).max", { view.max { $0.value.title } }) {
        list($0).sorted { $0.value.title > $1.value.title }.first
      }
      checkTotal("\(name).count", { Derived { view.count } }) { list($0).count }
      checkTotal(
        "\(name).reduce",
        {
          view.reduce([:] as [Int: Int]) {
            $0[$1.value.due, default: 0] += 1
          } removing: {
            $0[$1.value.due] = $0[$1.value.due] == 1 ? nil : $0[$1.value.due].map { $0 - 1 }
          }
        }
      ) { list($0).reduce(into: [:]) { $0[$1.value.due, default: 0] += 1 } }
    }
  }

  private mutating func checkTotal<Value: Equatable>(
    _ name: String,
    _ make: @escaping () -> Derived<Value>,
    _ expected: @escaping (Board) -> Value
  ) {
    let old = dice.roll(3) > 0 ? make() : nil
    let skipping = dice.roll(1_000)
    var reads = Dice(skipping)
    addPair(name) { board in
      if reads.roll(2) == 0 { return nil }
      let total = reads.roll(2) == 0 ? old ?? make() : make()
      let (value, expected) = (total.value, expected(board))
      return value == expected ? nil : "it is \(value), not \(expected)"
    }
  }
}
