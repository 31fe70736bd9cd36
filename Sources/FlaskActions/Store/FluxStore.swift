/// A store keeps a state, a struct, which typed actions change through reducers.
///
/// ```swift
/// class SomeStore: FluxStore<SomeState> {
///   init() {
///     super.init(initialState: SomeState())
///
///     registerReducer(for: SomeAction.self) { state, action in
///       state.value = action.value
///       return [\SomeState.value]
///     }
///   }
/// }
/// ```
/// A store is read, scoped, observed, undone and archived like a substance. It belongs to the flux that is current when
/// it is made. All stores that one action changes are committed together. Only actions change a store. It has no `mix`,
/// no `prop` and no restore point. In place of the methods that a `Substance` overrides it has
/// `archive(version:migrate:)`. A state that is mixed and answers actions belongs to a `ReactiveSubstance`.
///
/// A store is `Observable`, and an `ObservableObject` on systems with Combine. Both publish changes on the main thread.
///
/// A subclass may add behaviour, not mutable stored properties: it is shared between threads. Swift 6 mode asks it to
/// restate `@unchecked Sendable`. In a module whose default isolation is the main actor it is a `nonisolated class`.
///
/// `@unchecked Sendable`:
/// - Isolation: mutable state is the superclass's, or behind a lock.
/// - Invariant: a subclass adds no mutable stored properties.
/// - If violated: a data race.
open class FluxStore<S: Sendable>: TypedSubstance<S>, AnsweringWorker, @unchecked Sendable {
  let reducers = ReducerTable()

  /// Creates a store of the current flux.
  ///
  /// - Parameters:
  ///   - initialState: the state before the first action.
  ///   - name: the name in messages, and of the archive. A store without a name cannot be archived.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - line: as `fileID`.
  public init(initialState: S, name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line) {
    super.init(
      initial: TypedStateBox<S> { initialState },
      name: name,
      location: SourcePlace(fileID, line),
      isTrackedOnMain: true
    )
  }

  /// Unavailable: a store is changed by actions alone.
  @available(
    *,
    unavailable,
    message: "a store is changed by actions: dispatch one; a ReactiveSubstance is mixed and answers actions"
  )
  public final func mix(_ body: (inout S) throws -> Void) {}

  /// Changes the state by the reducer for the type of the action, if one is registered. Passes the action on unchanged.
  public final func handle(_ action: any FluxAction, in pass: borrowing FluxPass) throws -> FluxNextAction {
    try reducers.handle(action, for: self, in: pass)
    return .next()
  }
}
