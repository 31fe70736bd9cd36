internal import Synchronization

/// An action that a flux performs. It is passed to the workers of its dispatcher. An action of the default dispatcher
/// is then also passed to the substances that define it. All changes are committed together; then effects are started.
struct ActionOperation {
  let dispatcher: FluxDispatcher
  let action: any FluxAction
  /// The tracker that counts the action and its effects; `nil` if the code that dispatches the action determines the
  /// tracker.
  var tracker: ActionTracker?
  /// The effect that dispatched it.
  var run: EffectRun?
  /// The source location of the dispatch, if it is known.
  var location: SourcePlace?

  var identity: OperationIdentity {
    OperationIdentity(.action, type: Swift.type(of: action), at: location ?? SourcePlace())
  }

  var content: OperationContent? { .action(action) }

  /// Creates the operation that performs the action. From its creation until its end the operation is counted by its
  /// tracker, if it has one, and by the effect that dispatched the action.
  func submitted(to flux: Flux) -> FluxOperation {
    let route = dispatcher.route
    run?.enter()
    let tracker = tracker ?? (route.isRunningHere && run == nil ? route.trackerMade() : nil)
    tracker?.enter()
    let counted = tracker ?? run.map { ActionTracker(in: $0.tracker) } ?? ActionTracker()
    return FluxOperation(
      identity,
      content: content,
      in: flux,
      followUp: ActionFollowUp(tracker: counted, run: run),
      completion: { [run] result in
        if result.isDone { ActionOperation.startEffects(of: route, parent: run) }
        _ = route.end()
      }
    ) { drafts in
      if let run, run.isCancelled { return .cancelled }
      route.begin(dispatcher, tracker: counted)
      try ActionOperation.carry(action, by: dispatcher, at: location, in: drafts, route)
      return .commit
    }
  }

  /// Performs an action with its dispatcher. The caller retains the action. The properties of an `ActionOperation` are
  /// passed as parameters, so that an action that is performed at once needs no object.
  @inline(__always)
  static func perform(
    _ action: any FluxAction,
    by dispatcher: FluxDispatcher,
    in drafts: OperationDrafts,
    with options: MixOptions
  ) -> (result: OperationResult, tracker: ActionTracker?) {
    let route = dispatcher.route
    route.begin(dispatcher, tracker: nil)
    let result: OperationResult
    do {
      try carry(action, by: dispatcher, at: options.place, in: drafts, route)
      result = drafts.commit(lock: nil, isolation: options.isolation)
      startEffects(of: route, parent: nil)
    } catch {
      result = drafts.discard(.ended(.failed(error)))
    }
    return (result, route.end())
  }

  @inline(__always)
  private static func startEffects(of route: ActionRoute, parent run: EffectRun?) {
    for start in route.takeStarts() {
      start.dispatcher.effects.start(start, tracker: route.trackerMade(), parent: run)
    }
  }

  @inline(never)
  private static func report(
    unanswered action: any FluxAction,
    by dispatcher: FluxDispatcher,
    at location: SourcePlace?,
    _ route: ActionRoute
  ) {
    route.trackerMade().fail(UnansweredAction(type: Swift.type(of: action)))
    #if DEBUG
      let type = typeIdentifier(of: action)
      let flux = dispatcher.flux
      guard let location, let flux, flux.once.isFirst(.actionUnanswered, type) else { return }
      let defining = dispatcher.mixers.substances(defining: MixerKey(actionType: type))
      let reason =
        if dispatcher.isDefault, let claimed = defining.first(where: dispatcher.claims.contains) {
          "\(claimed.name()) defines it, but is registered with a dispatcher of its own, whose other workers would not get the "
            + "action; dispatch it with that dispatcher (`dispatch(with:)`)"
        } else {
          "no worker of its dispatcher has a reducer, handler, composer or effect for it, and no living "
            + "substance defines it; register one, or dispatch it with the dispatcher that has the workers (`dispatch(with:)`)"
        }
      flux.report(
        .actionWithoutAnswer,
        "there is no answer to a \(Swift.type(of: action)): \(reason)",
        at: location
      )
    #endif
  }

  @inline(__always)
  private static func carry(
    _ action: any FluxAction,
    by dispatcher: FluxDispatcher,
    at location: SourcePlace?,
    in drafts: OperationDrafts,
    _ route: ActionRoute
  ) throws {
    let pass = FluxPass(drafts: drafts, route: route)
    let next = try dispatcher.handle(action, in: pass).kind
    if dispatcher.isDefault {
      switch next {
      case .same: try ask(action, by: dispatcher, pass)
      case .other(let action): try ask(action, by: dispatcher, pass)
      case .none: break
      }
    }
    if !route.isAnswered { report(unanswered: action, by: dispatcher, at: location, route) }
  }

  /// Asks the substances that define the action to answer it. Two kinds of substances are skipped:
  ///
  /// - Substances that have answered already, as workers of the dispatcher.
  /// - Substances that are registered with another dispatcher. The other workers of that dispatcher would not get the
  ///   action, so that only a part of its changes would be made.
  private static func ask(
    _ action: any FluxAction,
    by dispatcher: FluxDispatcher,
    _ pass: borrowing FluxPass
  ) throws {
    let type = typeIdentifier(of: action)
    for substance in dispatcher.mixers.substances(defining: MixerKey(actionType: type)) {
      if dispatcher.claims.contains(substance) { continue }
      let asked = ActionRoute.Asked(substance: ObjectIdentifier(substance), type: type)
      if pass.withRoute({ $0.asked.contains(asked) }) { continue }
      try pass.ask(substance, action)
    }
  }
}

/// The link from a queued action to the tracker that counts it and its effects, and to the effect that dispatched it. A
/// receipt waits for the tracker.
final class ActionFollowUp: FollowUp {
  let tracker: ActionTracker
  private let run: EffectRun?

  init(tracker: ActionTracker, run: EffectRun? = nil) {
    self.tracker = tracker
    self.run = run
    tracker.followers.add(1, ordering: .relaxed)
  }

  deinit { tracker.followers.subtract(1, ordering: .relaxed) }

  func operationDidEnd() {
    run?.leave()
    tracker.leave()
  }

  func finished() async { await tracker.finished() }
}

extension ActionTracker: FollowUp {
  func operationDidEnd() { leave() }
}
