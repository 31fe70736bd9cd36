import Flask

extension Case {
  static let views: [Case] = [
    Case("views with observers, made and dropped", weight: 4) { count in
      let list = Substance(ListState(rows: Entities((0..<20).map { ListRow(id: $0) })))
      for number in 0..<count {
        let told = Counter()
        let open = list.view(\.rows).filter { $0.note.count > 3 }.sorted { $0.rank }
        let sections = open.sections { $0.rank % 3 }
        let joined = open.joined(with: list.view(\.rows).prefix(5), on: { $0.rank }) { $1?.note ?? $0.note }
        let sum = joined.sum { $0.value.count }
        let tokens = [
          open.observe { _ in told.add() }, sections.observe { _ in told.add() },
          joined.prefix(3).observe { _ in told.add() }, sum.observe { _, _ in told.add() },
        ]
        list.mix { $0.rows[id: number % 20]?.rank += 7 }
        _ = (open.value, sections.value, sum.value)
        for token in tokens { token.cancel() }
      }
    },
    Case("views that are read and dropped while their collection changes", weight: 2) { count in
      let list = Substance(ListState(rows: Entities((0..<20).map { ListRow(id: $0) })))
      for number in 0..<count {
        let open = list.view(\.rows).filter(with: { list.limit }) { $0.rank < $1 }
        _ = open.count
        list.mix {
          $0.limit = number % 30
          $0.rows.move(id: number % 20, to: number % 7)
        }
        _ = open.map(\.note)
      }
    },
  ]
}

private struct ListRow: Identifiable, Sendable {
  let id: Int
  var rank = 0
  var note = "a note that is too long to be stored inline"
}

private struct ListState: Sendable {
  var rows: Entities<ListRow>
  var limit = 10
}
