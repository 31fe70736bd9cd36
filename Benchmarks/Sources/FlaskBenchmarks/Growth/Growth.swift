/// How costs grow: the charts of `docs/internals/performance.md`.
enum Growth {
  static var charts: [(name: String, title: String, unit: String, curves: () -> [Growing])] {
    [
      ("keys", "One number of a wide state changes", "keys of the state", keys),
      ("nesting", "The deepest number of nested structs changes", "levels", nesting),
      ("reactors", "One key changes, one reactor asks for it", "reactors", reactors),
      ("observers", "One key changes, one observer observes it", "observers", observers),
      ("substances", "One substance of many changes", "substances", substances),
      ("dictionary", "One entry of a dictionary changes", "entries", dictionary),
    ]
  }

  /// Measures every chart.
  static func report(_ interleaving: Interleaving) throws -> GrowthReport {
    GrowthReport(
      charts: try charts.map { chart in
        let curves = chart.curves()
        let measurements = try interleaving.measure(curves.flatMap { $0.cases.map(\.measured) })
        var next = measurements.makeIterator()
        return GrowthReport.Chart(
          name: chart.name,
          title: chart.title,
          unit: chart.unit,
          curves: curves.map { curve in
            let points = curve.cases.map { point in
              GrowthReport.Point(size: point.size, nanoseconds: next.next()?.nanoseconds ?? .nan)
            }
            return GrowthReport.Curve(name: curve.name, points: points)
          }
        )
      }
    )
  }
}
