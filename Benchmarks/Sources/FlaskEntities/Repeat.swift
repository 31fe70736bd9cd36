import FlaskDiff
import FlaskEntities

/// Performs one operation for a few seconds, for profilers.
func repeatOperation(_ name: String, size: Int) {
  let rows = Row.rows(size)
  let base = Entities(rows)
  let ids = Row.chosen(of: size)
  for _ in 0..<(200_000_000 / max(size, 1000)) {
    switch name {
    case "lookup":
      var sum = 0
      for id in opaque(ids) { sum &+= base[id: id]?.count ?? 1 }
      use(sum)
    case "iteration":
      var sum = 0
      for row in opaque(base) { sum &+= row.count }
      use(sum)
    case "comparison":
      var changed = base
      changed[id: ids[7]]?.count = 99
      for _ in 0..<1000 { use(ElementChanges(from: opaque(base), to: changed)) }
    default:
      for id in opaque(ids) {
        var copy = base
        copy[id: id]?.count = 1
        use(copy)
      }
    }
  }
}
