// Swift 6, error: value of type 'Substance<AppState>' has no dynamic member 'cuont' using key path from root type 'AppState'
import Flask

struct AppState: State { var counter = 0 }

func read(_ substance: Substance<AppState>) {
  print(substance.cuont)
}
