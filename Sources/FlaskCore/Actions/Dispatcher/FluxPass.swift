/// The way of one action through the workers of a dispatcher. Can be handed on, and not be kept.
public struct FluxPass: ~Copyable {
  let performer: FluxPerformer

  /// The dispatcher that asks its workers: of nested ones, the innermost.
  public var dispatcher: FluxDispatcher? { performer.actions.dispatcher }

  /// Opens the draft of a substance. False if it belongs to another flux, which is a fault.
  @inline(__always)
  func enlist(_ substance: AnySubstance) -> Bool {
    let core = substance.core
    if core.isOpen { return true }
    guard core.flux.performer === performer else { return refuse(substance) }
    performer.actions.held.append(substance)
    performer.enlist(core)
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
}
