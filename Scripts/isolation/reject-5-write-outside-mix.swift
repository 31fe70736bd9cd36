// Swift 5, error: setter for 'subscript(dynamicMember:)' is unavailable: write inside a mix: `substance.mix { $0.property = … }`; a store: dispatch an action
import Flask

struct AppState: State { var title = "" }

func write(_ substance: Substance<AppState>) {
  substance.title = "x"
  substance.title.append("y")
}
