@_spi(FlaskInternals) internal import FlaskArchive
@_spi(FlaskInternals) internal import FlaskDiff

/// Performs one operation: runs its closures on drafts, commits all of them or none, delivers the reactions.
///
/// `@unchecked Sendable`: touched only by the thread that performs the flux's operation in progress, and the flux's
/// queue hands it from one thread to the next.
final class FluxPerformer: @unchecked Sendable {
  /// The substances that the operation in progress has named, in that order.
  private var touched: [SubstanceCore] = []
  /// Who listens to them, while an operation over several is committed: kept from one to the next for its memory.
  private var audiences: [(listeners: [ReactionListener], observers: ObserverIndex)] = []
  /// What it notes down while it performs an action.
  let actions = ActionWork()

  func perform(_ operation: FluxOperation, lock: FluxLock?, isolation: (any Actor)?) -> OperationResult {
    // The operation holds its substances; what works on their cores relies on it.
    let result = withExtendedLifetime(operation) {
      switch operation {
      case .chain(let steps): perform(steps, lock: lock, isolation: isolation)
      case .mixer(let call): perform(call, lock: lock, isolation: isolation)
      case .rollback(let substance): rollBack(substance, lock: lock, isolation: isolation)
      case .action(let call): perform(call, isolation: isolation).result
      case .closure(let body): perform(body)
      }
    }
    lock?.settle(after: result)
    return result
  }

  // MARK: The closures

  /// One closure over one substance: most operations.
  @inline(__always)
  func perform(_ step: MixSteps.Step, isolation: (any Actor)?) -> OperationResult {
    withExtendedLifetime(step) {
      step.core.open()
      do {
        try step.body()
      } catch {
        step.core.discard()
        return .failed(error)
      }
      return commit(step.core, lock: nil, isolation: isolation)
    }
  }

  private func perform(_ body: () -> Void) -> OperationResult {
    body()
    return .unchanged
  }

  private func perform(_ steps: MixSteps, lock: FluxLock?, isolation: (any Actor)?) -> OperationResult {
    do {
      enlist(steps.first.core)
      try steps.first.body()
      for step in steps.others ?? [] {
        enlist(step.core)
        try step.body()
      }
    } catch {
      discard()
      return .failed(error)
    }
    return commit(lock: lock, isolation: isolation)
  }

  private func perform(_ call: MixerCall, lock: FluxLock?, isolation: (any Actor)?) -> OperationResult {
    let substances = call.flux.mixers.substances(defining: call.key)
    return withExtendedLifetime(substances) {
      for substance in substances {
        enlist(substance.core)
        switch substance.answer(call) {
        case .reacted: continue
        case .aborted:
          discard()
          return .aborted
        case .failed(let error):
          discard()
          return .failed(error)
        }
      }
      return commit(lock: lock, isolation: isolation)
    }
  }

  private func rollBack(_ substance: AnySubstance, lock: FluxLock?, isolation: (any Actor)?)
    -> OperationResult
  {
    guard substance.core.draftRestorePoint() else { return .aborted }
    touched.append(substance.core)
    return commit(lock: lock, isolation: isolation)
  }

  func enlist(_ core: SubstanceCore) {
    if core.isOpen { return }
    core.open()
    touched.append(core)
  }

  func discard() {
    for core in touched { core.discard() }
    touched.removeAll(keepingCapacity: touched.capacity <= 64)
  }

  // MARK: The commit

  func commit(lock: FluxLock?, isolation: (any Actor)?) -> OperationResult {
    defer { touched.removeAll(keepingCapacity: touched.capacity <= 64) }
    if touched.count == 1 { return commit(touched[0], lock: lock, isolation: isolation) }
    return commitSeveral(lock: lock, isolation: isolation)
  }

  @inline(__always)
  private func commit(_ core: SubstanceCore, lock: FluxLock?, isolation: (any Actor)?) -> OperationResult {
    core.reduce()
    guard core.changes.pointee.hasDirty else { return .unchanged }
    let listeners = core.flux.commitLock.withLock { _ in core.swapUnderLock() }
    if core.isArchived { core.substance.stateDidChange() }
    guard !core.changes.pointee.isEmpty else {
      core.settle()
      return .unchanged
    }
    let keys = CommittedKeys(core)
    core.deliver(to: listeners, lock: lock, isolation: isolation)
    core.settle()
    return .committed(keys)
  }

  private func commitSeveral(lock: FluxLock?, isolation: (any Actor)?) -> OperationResult {
    guard let flux = touched.first?.flux else { return .unchanged }
    for core in touched { core.reduce() }
    touched.removeAll { !$0.changes.pointee.hasDirty }
    flux.commitLock.withLock { _ in
      for core in touched { audiences.append(core.swapUnderLock()) }
    }
    defer { audiences.removeAll(keepingCapacity: audiences.capacity <= 64) }
    for core in touched where core.isArchived { core.substance.stateDidChange() }
    var keys: [CommittedKeys] = []
    keys.reserveCapacity(touched.count)
    for core in touched where !core.changes.pointee.isEmpty { keys.append(CommittedKeys(core)) }
    for (index, core) in touched.enumerated() where !core.changes.pointee.isEmpty {
      core.deliver(to: audiences[index], lock: lock, isolation: isolation)
    }
    for core in touched { core.settle() }
    return keys.isEmpty ? .unchanged : .committedSeveral(keys)
  }
}
