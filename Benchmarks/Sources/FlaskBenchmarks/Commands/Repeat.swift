import ArgumentParser

/// Performs one case so many times, for a tool that counts instructions: the difference of two counts is exact.
struct Repeat: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Performs one case so many times and measures nothing, for callgrind and its like."
  )

  @Argument(help: "The workload, such as W1.")
  var workload: String

  @Argument(help: "The case, such as observer.")
  var name: String

  @Argument(help: "The number of operations, an even one.")
  var count: Int

  func run() throws {
    guard let wanted = Workloads.cases(of: [workload]).first(where: { $0.name == name }) else {
      throw ValidationError("There is no case \(name) of \(workload).")
    }
    wanted.body(count)
  }
}
