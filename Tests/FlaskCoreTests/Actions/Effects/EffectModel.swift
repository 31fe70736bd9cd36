@testable import FlaskCore

/// What the policies mean, written down as a list of runs in the order in which they came. Slow and plain.
struct EffectModel {
  enum Phase { case waits, runs, ends, over }

  private(set) var phases: [(run: Int, phase: Phase)] = []

  func all(_ phase: Phase) -> [Int] { phases.filter { $0.phase == phase }.map(\.run) }

  mutating func come(_ run: Int, _ policy: FluxEffectPolicy) {
    switch policy {
    case .concurrent: phases.append((run, .runs))
    case .latest:
      cancel()
      phases.append((run, .runs))
    case .exhaust: phases.append((run, all(.runs).isEmpty && all(.waits).isEmpty ? .runs : .over))
    case .queue: phases.append((run, .waits))
    }
    advance()
  }

  mutating func end(_ run: Int) {
    for index in phases.indices where phases[index].run == run { phases[index].phase = .over }
    advance()
  }

  mutating func cancel() {
    for index in phases.indices {
      switch phases[index].phase {
      case .waits: phases[index].phase = .over
      case .runs: phases[index].phase = .ends
      case .ends, .over: break
      }
    }
  }

  private mutating func advance() {
    guard all(.runs).isEmpty, all(.ends).isEmpty else { return }
    if let next = phases.firstIndex(where: { $0.phase == .waits }) { phases[next].phase = .runs }
  }
}
