import Foundation

/// The table and the JSON of a run: each case with its time and its ratio to the bound of its workload.
struct Report: Encodable {
  struct Row: Encodable {
    let workload: String
    let name: String
    let nanoseconds: Double
    let bound: String
    let ratio: Double
  }

  let rows: [Row]

  /// - Parameter bounds: the name of the case that is the bound, by workload.
  init(_ measurements: [Measurement], bounds: [String: String]) {
    rows = measurements.compactMap { measurement in
      guard let name = bounds[measurement.workload],
        let bound = measurements.first(where: { $0.workload == measurement.workload && $0.name == name })
      else { return nil }
      return Row(
        workload: measurement.workload,
        name: measurement.name,
        nanoseconds: measurement.nanoseconds,
        bound: name,
        ratio: measurement.ratio(to: bound)
      )
    }
  }

  /// For people.
  var table: String {
    var lines = ["      case                      ns per operation   ratio to bound"]
    var workload = ""
    for row in rows {
      let head = row.workload == workload ? "" : row.workload
      workload = row.workload
      lines.append(
        head.padding(toLength: 6, withPad: " ", startingAt: 0)
          + row.name.padding(toLength: 24, withPad: " ", startingAt: 0)
          + String(format: "%18.1f %16.2f", row.nanoseconds, row.ratio)
          + (row.name == row.bound ? "  bound" : "")
      )
    }
    return lines.joined(separator: "\n")
  }
}

/// Writes `value` as JSON to the file at `path`.
func write(_ value: some Encodable, to path: String) throws {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
  try encoder.encode(value).write(to: URL(fileURLWithPath: path))
}
