import TestSupport
import Testing

@Suite struct SharedSimulationTests {
  /// Two halves, so that both cores are busy.
  @Test(arguments: [0, 1])
  func `in random histories no acknowledged change is lost, and all come to one state`(
    half: UInt64
  ) throws {
    let count = Proof.count(3_000, full: 1_000_000, of: "FLASK_HISTORIES") / 2
    var seeds = SeededGenerator(seed: Workload.seed &+ half)
    for number in 0..<count {
      let seed = seeds.next()
      let simulation = SharedSimulation(seed: seed)
      try simulation.run(events: 10)
      guard let failure = simulation.failures.first else { continue }
      let again = SharedSimulation(seed: seed, isLogged: true)
      try again.run(events: 10)
      let events = again.log.joined(separator: "\n")
      Issue.record("history \(number) with the seed \(seed): \(failure)\n\(events)")
      return
    }
  }
}
