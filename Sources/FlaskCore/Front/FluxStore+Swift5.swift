extension FluxStore {
  /// Says how actions of a type change the state, for clients in Swift 5 mode: the closure need not be `Sendable`.
  @available(swift, obsoleted: 6)
  public final func registerReducer<A: FluxAction>(
    for type: A.Type,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ reducer: @escaping (_ state: inout S, _ action: A) throws -> Void
  ) {
    addReducer(type, at: SourceLocation(fileID, line), UncheckedSendable.reducing(reducer))
  }

  /// Says how actions of a type change the state and which part did, for clients in Swift 5 mode: the closure need not
  /// be `Sendable`.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  public final func registerReducer<A: FluxAction>(
    for type: A.Type,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ reducer: @escaping (_ state: inout S, _ action: A) throws -> [PartialKeyPath<S>]
  ) {
    addClaimingReducer(type, at: SourceLocation(fileID, line), UncheckedSendable.reducing(reducer))
  }
}
