// Swift 6, error: 'chain' consumed more than once
import Flask

struct AppState: State { var counter = 0 }

func change(_ substance: Substance<AppState>, _ reactor: AnyReactor) {
  let chain = reactor.mix(substance) { $0.prop.counter = 1 }
  chain.react()
  chain.react()
}
