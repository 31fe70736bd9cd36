// Swift 6, no diagnostic

import Foundation
import Flask

struct Row: Identifiable, Sendable {
  let id: Int
  var due: Int?
  var title = ""
  var price = Decimal(0)
  var time = Duration.zero
}

func sorted(_ rows: LiveView<Row>) -> [LiveView<Row>] {
  [
    rows.sorted { $0.due }, rows.sorted(.descending, nils: .first) { $0.due }, rows.sorted { $0.id },
    rows.sorted { ($0.title, -$0.id) }, rows.sorted { ($0.title, $0.id, $0.due ?? 0) },
    rows.sorted { ($0.title, $0.id, $0.due ?? 0, $0.id, $0.id, $0.title) }, rows.sorted { $0.due ?? 0 },
    rows.sorted { row in row.title.lowercased() }, rows.sorted(.descending) { $0.title },
  ]
}

func totals(_ rows: LiveView<Row>) -> [Any] {
  [
    rows.sum { $0.id }, rows.sum { Double($0.id) }, rows.sum { $0.price }, rows.sum { $0.time },
    rows.average { $0.id }, rows.average { Double($0.id) }, rows.average { $0.price },
  ]
}
