extension FluxMiddleware {
  /// Does side work for each action of a type. The unchanged action goes to the next worker. A type may have several
  /// handlers.
  ///
  /// - Parameters:
  ///   - type: the type of the action.
  ///   - handler: runs on the thread that performs the action, before the composer. Stores still have the state before
  ///     the action.
  @available(swift, introduced: 6)
  public final func registerHandler<A: FluxAction>(
    for type: A.Type,
    _ handler: @escaping @Sendable (_ action: A) -> Void
  ) {
    register(type) { registrations in
      registrations.handlers.append { action in
        if let action = action as? A { handler(action) }
      }
    }
  }

  /// Removes the handlers for a type of actions. Its composer and its effects stay. An action that is being performed
  /// may still reach the removed handlers.
  ///
  /// The closures are released with the middleware.
  public final func unregisterHandler<A: FluxAction>(for type: A.Type) {
    register(type) { $0.handlers = [] }
  }

  /// Registers a closure that returns the action for the next worker instead of actions of a type: `.next(_:)` with any
  /// action, or `.stop()`.
  ///
  /// A type has one composer: a second registration is a fault, and is ignored.
  @available(swift, introduced: 6)
  public final func registerComposer<A: FluxAction>(
    for type: A.Type,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ composer: @escaping @Sendable (_ action: A) -> FluxNextAction
  ) {
    let location = SourcePlace(fileID, line)
    let first = register(type) { registrations in
      if let composer = registrations.composer { return composer.location as SourcePlace? }
      registrations.composer = ({ action in (action as? A).map(composer) ?? .next() }, location)
      return nil
    }
    if let first { reportSecond("composer for \(type)", at: location, first: first) }
  }

  /// Handles the errors of effects of this middleware. Without a handler each error is a fault.
  ///
  /// A middleware has one error handler. A second registration is a fault, and is ignored. The errors of a cancelled
  /// effect are not passed to the handler.
  ///
  /// - Parameters:
  ///   - handler: runs where the effect ran; receives the error, the action of the effect, and its `dispatch`.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - line: as `fileID`.
  @available(swift, introduced: 6)
  public final func registerErrorHandler(
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ handler: @escaping @Sendable (any Error, any FluxAction, _ dispatch: FluxEffectDispatch) -> Void
  ) {
    let location = SourcePlace(fileID, line)
    if let first = setErrorHandler(handler, at: location) {
      reportSecond("error handler", at: location, first: first)
    }
  }

  private func reportSecond(_ what: String, at location: SourcePlace, first: SourcePlace) {
    Flux.current.report(
      .answerRegisteredTwice,
      "\(Swift.type(of: self)) registers a second \(what), which is left out; the first is at "
        + "\(first). Remove one, or make one of the two",
      at: location
    )
  }
}
