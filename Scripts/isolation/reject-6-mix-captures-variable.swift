// Swift 6, error: mutation of captured var 'count' in concurrently-executing code
import Flask

struct AppState: State { var counter = 0 }

func change(_ substance: Substance<AppState>, _ reactor: AnyReactor) {
  var count = 0
  reactor.mix(substance) { _ in count += 1 }.react()
}
