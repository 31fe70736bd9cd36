import Combine
import FlaskActions
import FlaskCore

/// A client of the conformance: what SwiftUI asks of an observed object.
func subscribe(to store: FluxStore<Int>) -> AnyCancellable {
  func isObserved(_ object: some ObservableObject) {}
  isObserved(store)
  return store.objectWillChange.sink { _ = store.state }
}
