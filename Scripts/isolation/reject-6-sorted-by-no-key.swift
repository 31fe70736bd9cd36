// Swift 6, error: instance method 'sorted' requires that 'Kind' conform to 'Comparable'

import FlaskViews

enum Kind: Sendable { case a, b }

struct Row: Identifiable, Sendable {
  let id: Int
  var kind = Kind.a
}

func sorted(_ rows: LiveView<Row>) -> LiveView<Row> { rows.sorted { $0.kind } }
