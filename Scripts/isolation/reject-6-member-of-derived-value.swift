// Swift 6, error: value of type 'Derived<Int>' has no dynamic member 'count' using key path from root type 'Int'
import Flask

struct AppState: FlaskState { var items: [Int] = [] }

func read(_ substance: Substance<AppState>) -> Int {
  let total = Derived { substance.items.count }
  return total.count
}
