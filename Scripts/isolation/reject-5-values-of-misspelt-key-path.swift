// Swift 5, error: value of type 'AppState' has no member 'cuont'
import Flask

struct AppState: State { var counter = 0 }

func hear(_ substance: Substance<AppState>) -> SubstanceObservation {
  substance.observe(valuesOf: \.cuont) { count in print(count) }
}
