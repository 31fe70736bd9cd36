import FlaskActions
import FlaskCore
import KernelFixtures
import TestSupport

/// A store that counts.
final class TallyStore: FluxStore<Tally>, @unchecked Sendable {
  init(name: String? = nil) {
    super.init(initialState: Tally(), name: name)
    registerReducer(for: Add.self) { state, action in state.counter += action.amount }
    registerReducer(for: Rename.self) { state, action in
      state.text = action.text
      return [\Tally.text]
    }
    registerReducer(for: Fail.self) { state, _ in
      state.counter = 99
      throw Oops()
    }
  }
}
