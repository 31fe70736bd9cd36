import ArgumentParser

/// Measures how costs grow.
struct GrowthCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "growth",
    abstract: "Measures how costs grow, for Benchmarks/plot-growth.py to draw."
  )

  @Option(help: "Writes the figures to this file.")
  var json: String?

  func run() throws {
    let report = try Growth.report(Interleaving(rounds: 7, batch: 0.01))
    for chart in report.charts {
      print("\(chart.title), by \(chart.unit)")
      for curve in chart.curves {
        let points = curve.points.map { "\($0.size): \(Int($0.nanoseconds.rounded()))" }.joined(
          separator: ", "
        )
        print("  \(curve.name): \(points) ns")
      }
    }
    if let json { try write(report, to: json) }
  }
}
