// Swift 6, error: value of type 'AppState' has no member 'cuont'
import Flask

struct AppState: State { var counter = 0 }

func read(_ substance: Substance<AppState>) async {
  for await count in substance.values(of: \.cuont) { print(count) }
}
