// Swift 6, error: main actor-isolated property 'count' can not be mutated from a Sendable closure
import Flask

struct AppState: State { var counter = 0 }

@MainActor final class Screen {
  var count = 0

  func change(_ substance: Substance<AppState>, _ reactor: AnyReactor) {
    reactor.mix(substance) { _ in self.count += 1 }.react()
  }
}
