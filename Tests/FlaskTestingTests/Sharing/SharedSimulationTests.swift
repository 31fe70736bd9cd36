import TestSupport
import Testing

@Suite struct SharedSimulationTests {
  @Test func `in random histories no acknowledged change is lost, and all processes come to one state`()
    throws
  {
    let count = Proof.count(5_000, full: 1_000_000, of: "FLASK_HISTORIES")
    var seeds = SeededGenerator(seed: Workload.seed)
    for number in 0..<count {
      let seed = seeds.next()
      let simulation = SharedSimulation(seed: seed)
      try simulation.run(events: 12)
      if let failure = simulation.failures.first {
        Issue.record(
          "history \(number) with the seed \(seed): \(failure)\n\(simulation.log.joined(separator: "\n"))"
        )
        return
      }
    }
  }
}
