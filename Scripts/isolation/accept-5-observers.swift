// Swift 5, no diagnostic
import Flask

struct AppState: State {
  enum prop: StateProp { case counter }
  var counter = 0
}

final class Owner {
  var heard = 0

  func hear(_ substance: Substance<AppState>, _ store: FluxStore<AppState>) -> [SubstanceObservation] {
    var changes = 0
    let tokens = [
      substance.observe(\.counter) { _, _ in changes += 1 },
      substance.observe(key: "counter") { _ in self.heard += 1 },
      substance.observe(AppState.prop.counter) { _ in changes += 1 },
      store.observe(\.counter) { _, _ in self.heard += 1 },
      store.observe(anyOf: [\AppState.counter]) { _ in changes += 1 },
    ]
    print(changes)
    return tokens
  }
}

@MainActor final class Screen {
  private var heard = 0

  func hear(_ substance: Substance<AppState>) -> [SubstanceObservation] {
    [
      substance.observe(\.counter) { _, new in self.heard = new },
      substance.observe(key: "counter") { self.heard = $0.newValue() ?? 0 },
    ]
  }
}
