// Swift 6, error: capture of 'self' with non-Sendable type 'Listener' in a '@Sendable' closure
import Flask

struct AppState: State {
  enum prop: StateProp { case counter }
  var counter = 0
}

final class Listener {
  var count = 0

  func hear(_ substance: Substance<AppState>) -> SubstanceObservation {
    substance.observe(\.counter) { _, _ in self.count += 1 }
  }
}
