extension FluxMiddleware {
  /// Runs asynchronous work for each action of a type, when the action has been committed.
  ///
  /// ```swift
  /// registerEffect(for: Search.self, id: "search", policy: .latest, pace: .debounce(.milliseconds(300))) {
  ///   action, dispatch in
  ///   dispatch(Found(try await load(action.text)))
  /// }
  /// ```
  /// Effects are cancelled, as tasks are, by their policy, by `FluxDispatcher.cancelEffects(id:)`, and when the middleware goes:
  /// when it is unregistered, or its dispatcher goes. A cancelled effect that has not begun never does, and what it dispatches
  /// afterwards is not begun. A running effect holds the middleware until its closure has returned.
  ///
  /// - Parameters:
  ///   - type: the type of the action. There may be several effects for one.
  ///   - id: names the effect inside the dispatcher; effects of one identifier share what their policies count. `nil` is an identifier
  ///     that no other registration has.
  ///   - policy: what becomes of it when others of its identifier are running.
  ///   - pace: whether it waits first.
  ///   - clock: what the pace is measured on.
  ///   - fileID: where a fault is reported at; leave it out.
  ///   - line: the line in that file; leave it out.
  ///   - effect: the work, in a task of its own. An error it throws reaches the handler of `registerErrorHandler`, else it is a fault.
  @available(swift, introduced: 6)
  public final func registerEffect<A: FluxAction>(
    for type: A.Type,
    id: (any Hashable & Sendable)? = nil,
    policy: FluxEffectPolicy = .concurrent,
    pace: FluxEffectPace = .immediate,
    clock: any Clock<Duration> = ContinuousClock(),
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ effect: @escaping @Sendable (_ action: A, _ dispatch: FluxEffectDispatch) async throws -> Void
  ) {
    let spec = EffectSpec(
      id: EffectID(id ?? EffectNumber.next()),
      policy: policy,
      pace: pace,
      clock: clock,
      place: SourcePlace(fileID, line)
    ) { action, dispatch in
      if let action = action as? A { try await effect(action, dispatch) }
    }
    answer(type) { $0.effects.append(spec) }
  }
}
