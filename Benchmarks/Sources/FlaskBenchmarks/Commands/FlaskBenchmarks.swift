import ArgumentParser

/// The command: `run` by default, and `growth`, `repeat`.
@main
struct FlaskBenchmarks: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "flask-benchmarks",
    abstract: "Measures Flask against hand-written bounds and against other stores, in one process.",
    subcommands: [Run.self, GrowthCommand.self, Repeat.self],
    defaultSubcommand: Run.self
  )
}
