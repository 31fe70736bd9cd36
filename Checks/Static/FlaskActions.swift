import FlaskActions
import FlaskCore

struct Add: FluxAction {}

final class Counter: FluxStore<Int>, @unchecked Sendable {
  init() {
    super.init(initialState: 0)
    registerReducer(for: Add.self) { state, _ in state += 1 }
  }
}

let counter = Counter()
Flux.current.dispatcher.register(workers: [counter])
Flask.dispatch(Add())
print(counter.state == 1 ? "ok" : "\(counter.state)")
