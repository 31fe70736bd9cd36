import FlaskActions
import FlaskTesting

/// The app that is tested: a search that waits until nobody types, replaces its last request, and tells of errors.
struct Search: FluxAction, Equatable { var text = "" }
struct Found: FluxAction, Equatable { var items: [String] = [] }
struct Failed: FluxAction, Equatable { var reason = "" }
struct Retry: FluxAction {}

struct Results: Sendable {
  var text = ""
  var items: [String] = []
  var isLoading = false
  var failure: String?
}

struct Offline: Error {}

final class ResultStore: FluxStore<Results>, @unchecked Sendable {
  init() {
    super.init(initialState: Results(), name: "results")
    registerReducer(for: Search.self) { state, action in
      state.text = action.text
      state.isLoading = true
      state.failure = nil
    }
    registerReducer(for: Found.self) { state, action in
      state.items = action.items
      state.isLoading = false
    }
    registerReducer(for: Failed.self) { state, action in
      state.failure = action.reason
      state.isLoading = false
    }
    registerReducer(for: Retry.self) { state, _ in
      state.isLoading = true
      state.failure = nil
    }
  }
}

final class SearchMiddleware: FluxMiddleware, @unchecked Sendable {
  init(_ results: ResultStore, load: @escaping @Sendable (String) async throws -> [String]) {
    super.init()
    registerEffect(for: Search.self, id: "search", policy: .latest, pace: .debounce(.milliseconds(300))) {
      action,
      dispatch in
      dispatch(Found(items: try await load(action.text)))
    }
    registerEffect(for: Retry.self, id: "search", policy: .latest) { [weak results] _, dispatch in
      dispatch(Found(items: try await load(results?.text ?? "")))
    }
    registerErrorHandler { error, _, dispatch in dispatch(Failed(reason: "\(error)")) }
  }
}
