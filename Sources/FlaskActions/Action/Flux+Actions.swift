extension Flux {
  /// The default dispatcher of this flux. The default dispatcher of `Flask.bus` is the default dispatcher of the app.
  ///
  /// In addition to its workers it reaches each living substance of the flux that defines an action. The flux retains
  /// the dispatcher, the dispatcher retains its workers, and the workers retain the flux. For a separate flux, call
  /// `unregisterAll()` when it is no longer used.
  public var dispatcher: FluxDispatcher { attachment { FluxDispatcher(defaultOf: $0) } }

  /// The fast path of an action that no tracker counts. Performs the action without copying it; the result is `nil` if
  /// the action has to wait.
  @inline(__always)
  func performAtOnce(
    _ action: any FluxAction,
    by dispatcher: FluxDispatcher,
    with options: MixOptions
  ) -> FluxReceipt? {
    // `begin` fails if another action is in progress. So this action was not dispatched by another one, and needs no
    // tracker, which would count it as work of that action.
    let isBegun = begin(
      OperationIdentity(.action, type: type(of: action), at: options.place),
      content: .action(action),
      isolation: options.isolation
    )
    if !isBegun { return nil }
    let (result, tracker) = ActionOperation.perform(
      action,
      by: dispatcher,
      in: drafts,
      with: options
    )
    tracker?.leave()
    end(result, isolation: options.isolation)
    if tracker == nil && result.isDone { return FluxReceipt(result) }
    return FluxReceipt(result, at: options.place, in: self, followUp: tracker)
  }

  /// Performs an action now, or enqueues the action if it has to wait.
  func submit(_ operation: ActionOperation, isolation: ActorIdentity) -> FluxReceipt {
    submit(operation.submitted(to: self), cause: operation.run?.cause, isolation: isolation)
  }
}
