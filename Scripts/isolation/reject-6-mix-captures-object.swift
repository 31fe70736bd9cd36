// Swift 6, error: capture of 'self' with non-Sendable type 'Listener' in a '@Sendable' closure
import Flask

struct AppState: State { var counter = 0 }

final class Listener {
  var count = 0

  func change(_ substance: Substance<AppState>, _ reactor: AnyReactor) {
    reactor.mixing(substance) { _ in self.count += 1 }.react()
  }
}
