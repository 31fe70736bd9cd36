// Swift 6, error: main actor-isolated var 'count' can not be mutated from a nonisolated context
import Flask

struct AppState: FlaskState { var total = 0 }

@MainActor var count = 0

@MainActor
func change(_ substance: Substance<AppState>) {
  substance.mix {
    $0.total = 1
    count += 1
  }
}
