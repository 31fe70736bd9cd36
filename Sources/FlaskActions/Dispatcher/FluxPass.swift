/// The passing of one action to the workers of a dispatcher.
///
/// Name the type where a type of yours conforms to ``FluxWorker``: it is the second parameter of `handle(_:in:)`. A
/// worker may pass it to a worker that it wraps, but must not store it.
public struct FluxPass: ~Copyable {
  // The two objects need not be retained. The operation, or the dispatcher that performs the action at once, retains
  // the flux, and the flux retains both. A pass cannot outlive the operation.
  private let borrowedDrafts: UnretainedReference<OperationDrafts>
  private let borrowedRoute: UnretainedReference<ActionRoute>

  init(drafts: OperationDrafts, route: ActionRoute) {
    borrowedDrafts = UnretainedReference(drafts)
    borrowedRoute = UnretainedReference(route)
  }

  /// Calls `body` with the `ActionRoute`, which has the bookkeeping of the action.
  @inline(__always)
  func withRoute<Result>(_ body: (ActionRoute) throws -> Result) rethrows -> Result {
    try borrowedRoute.use(body)
  }

  /// The dispatcher that is asking its workers; the innermost one if dispatchers are nested.
  public var dispatcher: FluxDispatcher? { withRoute { $0.dispatcher } }

  /// Opens the draft of a substance.
  ///
  /// - Returns: whether the substance is new to the operation; `nil` if it belongs to another flux, which is a fault.
  @inline(__always)
  func enlist(_ substance: AnySubstance) -> Bool? {
    let cell = UnretainedReference(substance.cell)
    guard cell.use({ borrowedDrafts.isSame(as: $0.flux.drafts) }) else {
      refuse(substance)
      return nil
    }
    return borrowedDrafts.use { drafts in cell.use { drafts.enlist($0) } }
  }

  @inline(never)
  private func refuse(_ substance: AnySubstance) {
    substance.report(
      .workerOfDifferentFlux,
      "\(substance.name()) was passed an action of a different flux, which it can't answer; "
        + "make store and dispatcher under one `Flux.current`"
    )
  }

  /// Asks a substance to answer an action by its definition for the type of the action.
  func ask(_ substance: any MixerResponder, _ action: any FluxAction) throws {
    guard enlist(substance) != nil else { return }
    withRoute { $0.isAnswered = true }
    let key = MixerKey(actionType: typeIdentifier(of: action))
    let request = MixerRequest(key: key, payload: nil, action: action)
    if case .failed(let error) = substance.answer(request) { throw error }
  }
}
