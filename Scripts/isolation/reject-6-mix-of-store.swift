// Swift 6, error: 'mix' is unavailable: a store is changed by actions: dispatch one; a ReactiveSubstance is mixed and answers actions
import Flask

struct AppState: State { var title = "" }

func mix(_ store: FluxStore<AppState>) {
  store.mix { $0.title = "x" }
}
