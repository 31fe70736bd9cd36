final class SomeStore: FluxStore<SomeState>, @unchecked Sendable {
  init() { super.init(initialState: SomeState()) }
}
final class SomeMiddleware: FluxMiddleware, @unchecked Sendable {
  init(dispatcher: FluxDispatcher) { super.init() }
}
