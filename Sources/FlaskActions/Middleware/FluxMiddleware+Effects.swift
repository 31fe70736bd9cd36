internal import FlaskPrimitives

extension FluxMiddleware {
  /// Runs asynchronous work for each action of a type, after the action has been committed.
  ///
  /// ```swift
  /// registerEffect(for: Search.self, id: "search", policy: .latest, pace: .debounce(.milliseconds(300))) {
  ///   action, dispatch in
  ///   dispatch(Found(try await load(action.text)))
  /// }
  /// ```
  /// Effects are cancelled, as tasks are, by their policy, by `cancelEffects(id:)` of the middleware or the dispatcher,
  /// and when the middleware is unregistered or its dispatcher is deallocated. A cancelled effect that has not started
  /// never does, and actions that it dispatches afterwards are not started. A running effect holds the middleware until
  /// its closure has returned.
  ///
  /// With `while:` an effect also ends in the commit that removes a piece of state. From then on no operation that it
  /// submits is performed, whether by `dispatch` or otherwise, as for `FluxWork`:
  ///
  /// ```swift
  /// registerEffect(for: Load.self, while: { [weak board] in board?.lifetime(of: \.rows, id: $0.row) }) { … }
  /// ```
  ///
  /// - Parameters:
  ///   - type: the type of the action. A type may have several effects.
  ///   - presence: gives the piece of state with which an effect ends, from its action; runs on the performing thread,
  ///     after the commit. If the state does not exist, or the closure returns `nil`, the effect never starts.
  ///   - id: names the effect. The policies count effects of one group with equal identifiers together. `nil` is an
  ///     identifier that no other registration has, or the one of a shared group.
  ///   - group: whether effects of other middleware with an equal identifier count too; by default they do not.
  ///   - policy: what happens when other effects of the identifier are running.
  ///   - pace: whether it waits first.
  ///   - clock: the clock of the pace; that of the flux by default.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - line: as `fileID`.
  ///   - effect: the work. It runs in a separate task. An error it throws reaches the handler of
  ///     `registerErrorHandler`, else it is a fault.
  @available(swift, introduced: 6)
  public final func registerEffect<A: FluxAction>(
    for type: A.Type,
    while presence: (@Sendable (_ action: A) -> FluxLifetime?)? = nil,
    id: (any Hashable & Sendable)? = nil,
    group: FluxEffectGroup = .own,
    policy: FluxEffectPolicy = .concurrent,
    pace: FluxEffectPace = .immediate,
    clock: (any Clock<Duration>)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ effect: @escaping @Sendable (_ action: A, _ dispatch: FluxEffectDispatch) async throws -> Void
  ) {
    let registration = EffectRegistration(
      identifier: EffectIdentifierTable.shared.intern(id ?? group.identifier),
      presence: FluxMiddleware.lifetime(presence),
      group: group,
      policy: policy,
      pace: pace,
      clock: clock,
      location: SourcePlace(fileID, line)
    ) { action, dispatch in
      if let action = action as? A { try await effect(action, dispatch) }
    }
    register(type) { $0.effects.append(registration) }
  }

  /// Runs asynchronous work for each action of a type, with an identifier that comes from the action.
  ///
  /// ```swift
  /// registerEffect(for: Search.self, id: { $0.client }, policy: .latest) { action, dispatch in
  ///   dispatch(Found(try await load(action.text)))
  /// }
  /// ```
  /// Each client's search then replaces this client's previous search, and no other. For everything else see
  /// `registerEffect(for:id:_:)` with a constant identifier.
  ///
  /// - Parameters:
  ///   - type: the type of the action. A type may have several effects.
  ///   - presence: gives the piece of state with which an effect ends; see above.
  ///   - id: gives the identifier; runs on the thread that performs the action, once for each action.
  ///   - group: whether effects of other middleware with an equal identifier count too; by default they do not.
  ///   - policy: what happens when other effects of the identifier are running.
  ///   - pace: whether it waits first.
  ///   - clock: the clock of the pace; that of the flux by default.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - line: as `fileID`.
  ///   - effect: the work. It runs in a separate task.
  @available(swift, introduced: 6)
  public final func registerEffect<A: FluxAction>(
    for type: A.Type,
    while presence: (@Sendable (_ action: A) -> FluxLifetime?)? = nil,
    id: @escaping @Sendable (_ action: A) -> any Hashable & Sendable,
    group: FluxEffectGroup = .own,
    policy: FluxEffectPolicy = .concurrent,
    pace: FluxEffectPace = .immediate,
    clock: (any Clock<Duration>)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ effect: @escaping @Sendable (_ action: A, _ dispatch: FluxEffectDispatch) async throws -> Void
  ) {
    let registration = EffectRegistration(
      identifier: EffectIdentifierTable.shared.intern(UniqueEffectValue()),
      identify: { action in (action as? A).map(id) ?? UniqueEffectValue() },
      presence: FluxMiddleware.lifetime(presence),
      group: group,
      policy: policy,
      pace: pace,
      clock: clock,
      location: SourcePlace(fileID, line)
    ) { action, dispatch in
      if let action = action as? A { try await effect(action, dispatch) }
    }
    register(type) { $0.effects.append(registration) }
  }

  /// The registered form of a closure that gives the state with which an effect ends.
  private static func lifetime<A: FluxAction>(_ presence: (@Sendable (A) -> FluxLifetime?)?)
    -> (@Sendable (any FluxAction) -> FluxLifetime?)?
  {
    guard let presence else { return nil }
    return { action in
      guard let action = action as? A else { return nil }
      return presence(action)
    }
  }

  /// Cancels the effects of this middleware that were registered with `id`, both running and waiting ones, in all
  /// dispatchers with which the middleware is registered.
  ///
  /// ```swift
  /// registerHandler(for: Clear.self) { [unowned self] _ in cancelEffects(id: "search") }
  /// ```
  /// From any thread, inside handlers, composers and effects too; an effect that cancels its own identifier is
  /// cancelled itself. When the call has returned, no action that these effects dispatch, or have dispatched, is
  /// started any more. An action in progress continues, and so do the effects that it starts. Effects of other
  /// middleware with an equal `id` continue.
  public final func cancelEffects(id: any Hashable & Sendable) {
    guard let identifier = EffectIdentifierTable.shared.existing(id) else { return }
    for engine in openEffects.engines { engine.cancel(identifier, of: self) }
  }
}

/// The effect engines of the dispatchers in which this middleware has running or waiting effects. An engine is retained
/// only while it has such effects.
final class OpenEffects: Sendable {
  private let entries = Lock<[ObjectIdentifier: (engine: EffectEngine, count: Int)]>([:])

  var engines: [EffectEngine] { entries.withLock { $0.values.map(\.engine) } }

  /// Registers an engine that has an effect of this middleware.
  func enter(_ engine: EffectEngine) {
    entries.withLock { $0[ObjectIdentifier(engine), default: (engine, 0)].count += 1 }
  }

  /// Removes an effect that has ended. The caller must retain the engine, so that it is not deallocated under the lock.
  func leave(_ engine: EffectEngine) {
    entries.withLock { entries in
      let key = ObjectIdentifier(engine)
      entries[key]?.count -= 1
      if entries[key]?.count == 0 { entries[key] = nil }
    }
  }
}

extension FluxEffectGroup {
  /// The value by which effects that are registered without an identifier are identified.
  fileprivate var identifier: any Hashable & Sendable {
    switch self {
    case .own: UniqueEffectValue()
    case .shared: SharedEffectValue()
    }
  }
}
