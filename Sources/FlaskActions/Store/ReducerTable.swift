/// The type-erased reducers of a store, by the type of their action. A generic table would need a slow lookup of
/// metadata.
final class ReducerTable: Sendable {
  /// Changes the draft at an address.
  typealias Reducer =
    @Sendable (
      AnySubstance, any FluxAction, UnsafeMutableRawPointer, _ isFirst: Bool
    ) throws -> Void

  /// A reducer in an object that is read through its address: a call then retains no closure.
  private final class Entry: Sendable {
    let reducer: Reducer
    let location: SourcePlace

    init(_ reducer: @escaping Reducer, at location: SourcePlace) {
      self.reducer = reducer
      self.location = location
    }
  }

  private let reducers = ActionRegistry<Entry>()

  /// Adds a reducer. If the type already has a reducer, the location of its registration is returned.
  func add(_ reducer: @escaping Reducer, for type: ObjectIdentifier, at location: SourcePlace)
    -> SourcePlace?
  {
    reducers.change(type) { entry in
      if let entry { return entry.location }
      entry = Entry(reducer, at: location)
      return nil
    }
  }

  /// Removes the reducer for a type of actions, if there is one.
  func remove(for type: ObjectIdentifier) { reducers.change(type) { $0 = nil } }

  /// Opens the draft of `store`, and calls the reducer of the action with it.
  func handle(_ action: any FluxAction, for store: AnySubstance, in pass: borrowing FluxPass) throws {
    guard let entry = reducers.address(of: typeIdentifier(of: action)) else { return }
    pass.withRoute { $0.isAnswered = true }
    // The cell and the reducer need not be retained here: the store retains the cell, and the table retains the
    // reducer.
    let cell = UnretainedReference(store.cell)
    guard let isFirst = pass.enlist(store) else { return }
    let draft = cell.use { $0.draft }
    try UnretainedReference(entry.pointee).use { try $0.reducer(store, action, draft, isFirst) }
  }
}
