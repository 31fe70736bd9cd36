extension FluxStore {
  /// Says how actions of a type change the state, for clients in Swift 5 mode: the closure need not be `Sendable`.
  @available(swift, obsoleted: 6)
  public final func registerReducer<A: FluxAction>(
    for type: A.Type,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ reducer: @escaping (_ state: inout S, _ action: A) throws -> Void
  ) {
    addReducer(type, at: SourcePlace(fileID, line), UncheckedSendable.reducing(reducer))
  }

  /// Says how actions of a type change the state and which part did, for clients in Swift 5 mode: the closure need not be
  /// `Sendable`.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  public final func registerReducer<A: FluxAction>(
    for type: A.Type,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ reducer: @escaping (_ state: inout S, _ action: A) throws -> [PartialKeyPath<S>]
  ) {
    addClaimingReducer(type, at: SourcePlace(fileID, line), UncheckedSendable.reducing(reducer))
  }

  /// Calls `observer` with the state after each action that changed any of some keys, for clients in Swift 5 mode: the closure need
  /// not be `Sendable`.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  public final func addObserver(
    for keyPaths: [PartialKeyPath<S>],
    isolation: (any Actor)? = #isolation,
    observing observer: @escaping @isolated(any) (_ state: S) -> Void
  ) -> SubstanceObservation {
    addObserver(
      keyPaths,
      on: observer.isolation ?? isolation,
      unsafeBitCast(observer, to: ((S) -> Void).self)
    )
  }
}
