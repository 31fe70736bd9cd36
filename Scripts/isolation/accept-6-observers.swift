// Swift 6, no diagnostic
import Flask

struct AppState: State {
  enum prop: StateProp { case counter }
  var counter = 0
}

@MainActor final class Screen {
  private var heard = 0

  func hear(_ substance: Substance<AppState>, _ store: FluxStore<AppState>) -> [SubstanceObservation] {
    [
      substance.observe(\.counter) { _, new in self.heard = new },
      substance.observe(key: "counter") { self.heard = $0.newValue() ?? 0 },
      substance.observe(AppState.prop.counter) { _ in self.heard += 1 },
      store.observe(\.counter) { _, new in self.heard = new },
    ]
  }
}
