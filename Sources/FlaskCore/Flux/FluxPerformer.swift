internal import FlaskArchive
internal import FlaskDiff

/// Performs one operation: runs its closures on drafts, commits all of them or none, delivers the reactions.
///
/// `@unchecked Sendable`: touched only by the thread that performs the flux's operation in progress, and the flux's
/// queue hands it from one thread to the next.
final class FluxPerformer: @unchecked Sendable {
  /// The substances that the operation in progress has named, in that order.
  private var touched: [AnySubstance] = []

  func perform(_ operation: FluxOperation, lock: FluxLock?, isolation: (any Actor)?) -> OperationResult {
    let result: OperationResult
    switch operation {
    case .chain(let steps): result = perform(steps, lock: lock, isolation: isolation)
    case .mixer(let call): result = perform(call, lock: lock, isolation: isolation)
    case .rollback(let substance): result = rollBack(substance, lock: lock, isolation: isolation)
    case .closure(let body):
      body()
      result = .unchanged
    }
    if let lock { lock.settle(after: result) }
    return result
  }

  // MARK: The closures

  /// One closure over one substance: most operations.
  @inline(__always)
  func perform(_ step: MixSteps.Step, isolation: (any Actor)?) -> OperationResult {
    let core = step.substance.core
    core.open()
    do {
      try step.body()
    } catch {
      core.discard()
      return .failed(error)
    }
    return commit(step.substance, lock: nil, isolation: isolation)
  }

  private func perform(_ steps: MixSteps, lock: FluxLock?, isolation: (any Actor)?) -> OperationResult {
    do {
      enlist(steps.first.substance)
      try steps.first.body()
      for step in steps.others ?? [] {
        enlist(step.substance)
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
    for substance in substances {
      enlist(substance)
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

  private func rollBack(_ substance: AnySubstance, lock: FluxLock?, isolation: (any Actor)?)
    -> OperationResult
  {
    guard substance.core.draftRestorePoint() else { return .aborted }
    touched.append(substance)
    return commit(lock: lock, isolation: isolation)
  }

  private func enlist(_ substance: AnySubstance) {
    if substance.core.isOpen { return }
    substance.core.open()
    touched.append(substance)
  }

  private func discard() {
    for substance in touched { substance.core.discard() }
    touched.removeAll(keepingCapacity: touched.capacity <= 64)
  }

  // MARK: The commit

  private func commit(lock: FluxLock?, isolation: (any Actor)?) -> OperationResult {
    defer { touched.removeAll(keepingCapacity: touched.capacity <= 64) }
    if touched.count == 1 { return commit(touched[0], lock: lock, isolation: isolation) }
    return commitSeveral(lock: lock, isolation: isolation)
  }

  @inline(__always)
  private func commit(
    _ substance: AnySubstance, lock: FluxLock?, isolation: (any Actor)?
  ) -> OperationResult {
    let core = substance.core
    core.reduce()
    guard core.changes.hasDirty else { return .unchanged }
    let listeners = core.flux.commitLock.withLock { _ in core.swapUnderLock() }
    guard !core.changes.isEmpty else {
      core.settle()
      return .unchanged
    }
    let keys = CommittedKeys(core)
    core.deliver(from: substance, to: listeners, lock: lock, isolation: isolation)
    core.settle()
    return .committed(keys)
  }

  private func commitSeveral(lock: FluxLock?, isolation: (any Actor)?) -> OperationResult {
    guard let flux = touched.first?.core.flux else { return .unchanged }
    for substance in touched { substance.core.reduce() }
    let dirty = touched.filter { $0.core.changes.hasDirty }
    let listeners = flux.commitLock.withLock { _ in dirty.map { $0.core.swapUnderLock() } }
    let changed = zip(dirty, listeners).filter { !$0.0.core.changes.isEmpty }
    let keys = changed.map { CommittedKeys($0.0.core) }
    for (substance, listeners) in changed {
      substance.core.deliver(from: substance, to: listeners, lock: lock, isolation: isolation)
    }
    for substance in dirty { substance.core.settle() }
    return keys.isEmpty ? .unchanged : .committedSeveral(keys)
  }
}
