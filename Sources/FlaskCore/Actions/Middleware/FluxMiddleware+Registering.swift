extension FluxMiddleware {
  /// Does side work for each action of a type; the same action goes on to the next worker. There may be several for one type.
  ///
  /// - Parameters:
  ///   - type: the type of the action.
  ///   - handler: runs on the thread that performs the action, before the composer. Stores still have the state before the action.
  @available(swift, introduced: 6)
  public final func registerHandler<A: FluxAction>(
    for type: A.Type,
    _ handler: @escaping @Sendable (_ action: A) -> Void
  ) {
    answer(type) { answers in
      answers.handlers.append { action in
        if let action = action as? A { handler(action) }
      }
    }
  }

  /// Says what goes on to the next worker in place of actions of a type: `.next(_:)` with any action, or `.stop()`.
  ///
  /// One for each type; a second is a fault, and left out.
  @available(swift, introduced: 6)
  public final func registerComposer<A: FluxAction>(
    for type: A.Type,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ composer: @escaping @Sendable (_ action: A) -> FluxNextAction
  ) {
    let isFirst = answer(type) { answers in
      if answers.composer != nil { return false }
      answers.composer = { action in (action as? A).map(composer) ?? .next() }
      return true
    }
    if !isFirst { reportTwice("composer for \(type)", at: SourcePlace(fileID, line)) }
  }

  /// Says what is done about errors that effects of this middleware throw; without it each is a fault.
  ///
  /// One for each middleware; a second is a fault, and left out. That an effect was cancelled is no error.
  ///
  /// - Parameter handler: runs where the effect ran; receives the error, the action of the effect, and its `dispatch`.
  @available(swift, introduced: 6)
  public final func registerErrorHandler(
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ handler: @escaping @Sendable (any Error, any FluxAction, _ dispatch: FluxEffectDispatch) -> Void
  ) {
    if !setErrorHandler(handler) { reportTwice("error handler", at: SourcePlace(fileID, line)) }
  }

  private func reportTwice(_ what: String, at place: SourcePlace) {
    Flux.current.report(
      .answerRegisteredTwice,
      "\(type(of: self)) registers a \(what) twice; the first counts",
      at: place
    )
  }
}
