public import FlaskActions

extension FluxMiddleware {
  /// Does side work for each action of a type, for clients in Swift 5 mode: the closure need not be `Sendable`.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  public final func registerHandler<A: FluxAction>(
    for type: A.Type,
    _ handler: @escaping (_ action: A) -> Void
  ) {
    registerHandler(for: type, UncheckedSendable.acting(handler))
  }

  /// Registers a closure that returns the action for the next worker instead of actions of a type, for clients in Swift
  /// 5 mode: the closure need not be `Sendable`.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  public final func registerComposer<A: FluxAction>(
    for type: A.Type,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ composer: @escaping (_ action: A) -> FluxNextAction
  ) {
    registerComposer(for: type, fileID: fileID, line: line, UncheckedSendable.acting(composer))
  }

  /// Handles the errors of effects, for clients in Swift 5 mode: the closure need not be `Sendable`.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  public final func registerErrorHandler(
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ handler: @escaping (any Error, any FluxAction, _ dispatch: FluxEffectDispatch) -> Void
  ) {
    registerErrorHandler(fileID: fileID, line: line, UncheckedSendable.acting(handler))
  }

  /// Runs asynchronous work for each action of a type, for clients in Swift 5 mode: the closure need not be `Sendable`.
  /// See `registerEffect` for the parameters.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  public final func registerEffect<A: FluxAction>(
    for type: A.Type,
    while presence: ((_ action: A) -> FluxLifetime?)? = nil,
    id: (any Hashable & Sendable)? = nil,
    group: FluxEffectGroup = .own,
    policy: FluxEffectPolicy = .concurrent,
    pace: FluxEffectPace = .immediate,
    clock: (any Clock<Duration>)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ effect: @escaping (_ action: A, _ dispatch: FluxEffectDispatch) async throws -> Void
  ) {
    registerEffect(
      for: type,
      while: presence.map { UncheckedSendable.acting($0) },
      id: id,
      group: group,
      policy: policy,
      pace: pace,
      clock: clock,
      fileID: fileID,
      line: line,
      UncheckedSendable.effecting(effect)
    )
  }

  /// Runs asynchronous work for each action of a type, with an identifier that comes from the action, for clients in
  /// Swift 5 mode: the closures need not be `Sendable`.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  public final func registerEffect<A: FluxAction>(
    for type: A.Type,
    while presence: ((_ action: A) -> FluxLifetime?)? = nil,
    id: @escaping (_ action: A) -> any Hashable & Sendable,
    group: FluxEffectGroup = .own,
    policy: FluxEffectPolicy = .concurrent,
    pace: FluxEffectPace = .immediate,
    clock: (any Clock<Duration>)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ effect: @escaping (_ action: A, _ dispatch: FluxEffectDispatch) async throws -> Void
  ) {
    registerEffect(
      for: type,
      while: presence.map { UncheckedSendable.acting($0) },
      id: UncheckedSendable.acting(id),
      group: group,
      policy: policy,
      pace: pace,
      clock: clock,
      fileID: fileID,
      line: line,
      UncheckedSendable.effecting(effect)
    )
  }
}
