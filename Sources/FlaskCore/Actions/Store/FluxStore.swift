@_spi(FlaskInternals) internal import FlaskArchive
@_spi(FlaskInternals) internal import FlaskDiff

/// A store: one struct of state that typed actions change, through reducers.
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
/// It is a substance like any other: it belongs to the flux that was current when it was made, reactors and observers hear its
/// changes, and its state is read by anyone at any time. All stores that one action changes are committed together.
///
/// It is `Observable`, and an `ObservableObject` where there is Combine; for both, changes are published on the main thread.
///
/// A subclass may add behaviour, not mutable stored properties: it is shared between threads. Swift 6 mode asks it to
/// restate `@unchecked Sendable`.
///
/// `@unchecked Sendable`: everything mutable is behind locks, or in `core`, which says how it is guarded.
open class FluxStore<S: Sendable>: AnySubstance, FluxWorker, @unchecked Sendable {
  let reducers = ReducerTable()
  let publisher = StorePublisher()
  let archiving = Lock<(any StoreArchiving)?>(nil)
  /// Made once, since a key path of a generic type is made anew wherever it is written.
  let stateKeyPath = \FluxStore<S>.state

  /// A store of the current flux.
  ///
  /// - Parameters:
  ///   - initialState: its state until the first action.
  ///   - name: names it in messages. Without one, the store gets a name of its own.
  ///   - fileID: where faults that no call can be named for are reported at; leave it out.
  ///   - line: the line in that file; leave it out.
  public init(initialState: S, name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line) {
    let initial = TypedStateBox<S> { initialState }
    let layout = StateLayout.of(S.self, example: initial.address.assumingMemoryBound(to: S.self))
    let place = SourcePlace(fileID, line)
    super.init(
      core: SubstanceCore(flux: Flux.current, layout: layout, initial: initial, place: place),
      name: name
    )
  }

  /// The last committed state; while an action goes its way it is still the state before it. From any thread, at any time.
  public final var state: S {
    _read {
      observeAccess()
      let box = core.pinCommitted()
      defer { box.unpin() }
      yield box.address.assumingMemoryBound(to: S.self).pointee
    }
  }

  /// Reduces an action that a reducer is registered for, and hands it on.
  public final func handle(_ action: any FluxAction, in pass: borrowing FluxPass) throws -> FluxNextAction {
    try reducers.handle(action, for: self, in: pass)
    return .next()
  }

  /// Called by the performer after each commit while the store is archived.
  override final func stateDidChange() { archiving.withLock({ $0 })?.stateChanged() }
}
