/// The reducers of a store, by the type of their action. Knows no state type: what is generic is looked up slowly.
final class ReducerTable: Sendable {
  /// Changes the draft at an address.
  typealias Reducer =
    @Sendable (
      AnySubstance, any FluxAction, UnsafeMutableRawPointer, _ isFirst: Bool
    ) throws -> Void

  private struct Entry: Sendable {
    let reducer: Reducer
    let location: SourceLocation
  }

  private let reducers = ActionRegistry<Entry>()

  /// Adds a reducer; if the type has one, returns where that was registered.
  func add(_ reducer: @escaping Reducer, for type: ObjectIdentifier, at location: SourceLocation)
    -> SourceLocation?
  {
    reducers.change { reducers in
      if let present = reducers[type] { return present.location }
      reducers[type] = Entry(reducer: reducer, location: location)
      return nil
    }
  }

  /// Lets a reducer change the draft of `store`.
  func handle(_ action: any FluxAction, for store: AnySubstance, in pass: borrowing FluxPass) throws {
    guard let entry = reducers.address(of: typeIdentifier(of: action)) else { return }
    pass.route.markAnswered()
    let isFirst = !store.participant.isOpen
    guard pass.enlist(store) else { return }
    try entry.pointee.reducer(store, action, store.participant.draft, isFirst)
  }
}
