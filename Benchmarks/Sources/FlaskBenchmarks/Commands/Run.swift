import ArgumentParser

/// Measures the workloads, and prints times and ratios.
struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Measures the workloads.")

  @Flag(help: "Short batches: a few seconds, and noisier.")
  var short = false

  @Option(help: "Writes the figures to this file.")
  var json: String?

  @Argument(help: "The workloads; all if none is named.")
  var workloads: [String] = []

  func run() throws {
    let cases = Workloads.cases(of: workloads)
    let measurements = try Interleaving(rounds: short ? 21 : 7, batch: short ? 0.005 : 0.1).measure(cases)
    let report = Report(measurements, bounds: Workloads.bounds)
    print(report.table)
    if let json { try write(report, to: json) }
  }
}
