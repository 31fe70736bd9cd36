/// The way of one action through the workers of a dispatcher. Can be handed on, and not be kept.
public struct FluxPass: ~Copyable {
  // The operation holds its flux, and that both of them; a pass can't be kept longer.
  private let borrowedTransaction: Borrowed<FluxTransaction>
  private let borrowedRoute: Borrowed<ActionRoute>

  init(transaction: FluxTransaction, route: ActionRoute) {
    borrowedTransaction = Borrowed(transaction)
    borrowedRoute = Borrowed(route)
  }

  var transaction: FluxTransaction {
    @inline(__always) get { borrowedTransaction.use { $0 } }
  }

  var route: ActionRoute {
    @inline(__always) get { borrowedRoute.use { $0 } }
  }

  /// Notes that somebody has answered the action, or may have.
  @inline(__always)
  func markAnswered() { borrowedRoute.use { $0.markAnswered() } }

  /// The dispatcher that asks its workers: of nested ones, the innermost.
  public var dispatcher: FluxDispatcher? { route.dispatcher }

  /// Opens the draft of a substance. False if it belongs to another flux, which is a fault.
  @inline(__always)
  func enlist(_ substance: AnySubstance) -> Bool {
    let participant = Borrowed(substance.participant)
    if participant.use({ $0.isOpen }) { return true }
    guard participant.use({ borrowedTransaction.isSame(as: $0.flux.transaction) }) else {
      return refuse(substance)
    }
    borrowedRoute.use { $0.hold(substance) }
    borrowedTransaction.use { transaction in participant.use { transaction.enlist($0) } }
    return true
  }

  @inline(never)
  private func refuse(_ substance: AnySubstance) -> Bool {
    substance.report(
      .workerOfDifferentBus,
      "\(substance.name()) was handed an action of a different bus, which it can't answer; "
        + "make store and dispatcher under one `Flux.current`"
    )
    return false
  }

  /// Has a substance answer an action that it defines.
  func ask(_ substance: any MixerResponder, _ action: any FluxAction) throws {
    guard enlist(substance) else { return }
    markAnswered()
    let key = MixerKey(actionType: typeIdentifier(of: action))
    let request = MixerRequest(key: key, payload: nil, action: action)
    if case .failed(let error) = substance.answer(request) { throw error }
  }
}
