import BenchmarkSink
import BenchmarkStates
import OtherStores

/// The by-value store over `State10`.
enum ValueStore10 {
  enum Action {
    case increment
    case text(String)
    case counter(Int)
  }

  @Sendable
  static func reduce(_ state: State10, _ action: Action) -> State10 {
    var next = state
    switch action {
    case .increment: next.counter &+= 1
    case .text(let text): next.text = text
    case .counter(let counter): next.counter = counter
    }
    return next
  }

  /// A store with one subscriber to `counter`.
  static func make(_ sink: Sink) -> ValueStore<State10, Action> {
    let store = ValueStore(State10(), reduce: reduce)
    store.subscribe(to: \.counter) { sink.hear($0, $1) }
    return store
  }
}
