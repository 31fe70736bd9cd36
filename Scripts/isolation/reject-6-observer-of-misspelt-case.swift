// Swift 6, error: type 'AppState.prop' has no member 'cuont'
import Flask

struct AppState: State {
  enum prop: StateProp { case counter }
  var counter = 0
}

func hear(_ substance: Substance<AppState>) -> SubstanceObservation {
  substance.observe(AppState.prop.cuont) { change in print(change) }
}
