// Swift 6, error: mutation of captured var 'count' in concurrently-executing code
import Flask

struct AppState: State { var counter = 0 }

func hear(_ substance: Substance<AppState>) -> SubstanceObservation {
  var count = 0
  return substance.scope(\.counter).observe { _, _ in count += 1 }
}
