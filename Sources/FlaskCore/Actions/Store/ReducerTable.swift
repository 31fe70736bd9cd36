/// The reducers of a store, by the type of their action. Knows no state type: what is generic is looked up slowly.
final class ReducerTable: Sendable {
  /// Changes the draft at an address.
  typealias Reducer = @Sendable (any FluxAction, UnsafeMutableRawPointer, _ isFirst: Bool) throws -> Void

  private let reducers = ActionRegistry<Reducer>()

  /// The reducer for a type of actions.
  @inline(__always)
  subscript(type: ObjectIdentifier) -> Reducer? { reducers[type] }

  /// Adds a reducer; false if the type has one.
  func add(_ reducer: @escaping Reducer, for type: ObjectIdentifier) -> Bool {
    reducers.change { reducers in
      if reducers[type] != nil { return false }
      reducers[type] = reducer
      return true
    }
  }

  /// Lets a reducer change the draft of `store`.
  func handle(_ action: any FluxAction, for store: AnySubstance, in pass: borrowing FluxPass) throws {
    guard let reducer = self[typeIdentifier(of: action)] else { return }
    let isFirst = !store.core.isOpen
    guard pass.enlist(store) else { return }
    try reducer(action, store.core.draft, isFirst)
  }
}
