// Swift 6, error: cannot convert value of type 'Int' to closure result type 'Void'
import Flask

struct AppState: FlaskState { var items: [Int] = [] }

func add(to substance: Substance<AppState>) -> Int {
  substance.mix {
    $0.items.append(1)
    return $0.items.count
  }
  return 0
}
