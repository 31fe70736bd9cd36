@_spi(FlaskInternals) internal import FlaskArchive
@_spi(FlaskInternals) internal import FlaskDiff
internal import Synchronization

/// Performs one operation: runs its closures on drafts, commits all of them or none, delivers the reactions.
///
/// `@unchecked Sendable`: touched only by the thread that performs the flux's operation in progress, and the flux's
/// queue hands it from one thread to the next.
final class FluxPerformer: @unchecked Sendable {
  /// The substances that the operation in progress has named, in that order: each knows the next one. The operation holds them.
  private var first: Unmanaged<SubstanceCore>?
  private var last: Unmanaged<SubstanceCore>?
  /// Counts the operations that were told: who listens from some round on is not told that one.
  let round = Atomic<Int>(0)
  /// What it notes down while it performs an action.
  let actions = ActionWork()

  func perform(_ operation: FluxOperation, lock: FluxLock?, isolation: ActorIdentity) -> OperationResult {
    // The operation holds its substances; what works on their cores relies on it.
    let result = withExtendedLifetime(operation) {
      switch operation {
      case .mix(let step): perform(step, isolation: isolation)
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
  func perform(_ step: MixStep, isolation: ActorIdentity) -> OperationResult {
    withExtendedLifetime(step) {
      step.core.open()
      do {
        try step.body(step.substance)
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

  /// A chain that nobody made wait.
  @inline(__always)
  func perform(
    _ first: MixStep,
    _ second: Unmanaged<AnySubstance>,
    _ secondBody: MixStep.Body,
    _ more: Unmanaged<MoreSteps>?,
    isolation: ActorIdentity
  ) -> OperationResult {
    do {
      try perform(first.body, on: first.substance)
      try second._withUnsafeGuaranteedRef { try perform(secondBody, on: $0) }
      if let more {
        for step in more.takeUnretainedValue().steps { try perform(step.body, on: step.substance) }
      }
    } catch {
      discard()
      return .failed(error)
    }
    return commit(lock: nil, isolation: isolation)
  }

  private func perform(_ steps: [MixStep], lock: FluxLock?, isolation: ActorIdentity) -> OperationResult {
    do {
      for step in steps { try perform(step.body, on: step.substance) }
    } catch {
      discard()
      return .failed(error)
    }
    return commit(lock: lock, isolation: isolation)
  }

  @inline(__always)
  private func perform(_ body: MixStep.Body, on substance: AnySubstance) throws {
    enlist(substance.core)
    try body(substance)
  }

  private func perform(_ call: MixerCall, lock: FluxLock?, isolation: ActorIdentity) -> OperationResult {
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

  private func rollBack(_ substance: AnySubstance, lock: FluxLock?, isolation: ActorIdentity)
    -> OperationResult
  {
    guard substance.core.draftRestorePoint() else { return .aborted }
    append(substance.core)
    return commit(lock: lock, isolation: isolation)
  }

  func enlist(_ core: SubstanceCore) {
    if core.isOpen { return }
    core.open()
    append(core)
  }

  private func append(_ core: SubstanceCore) {
    let core = Unmanaged.passUnretained(core)
    core._withUnsafeGuaranteedRef { $0.next = nil }
    if let last { last._withUnsafeGuaranteedRef { $0.next = core } } else { first = core }
    last = core
  }

  private func forEachEnlisted(_ body: (SubstanceCore) -> Void) {
    var next = first
    while let core = next {
      core._withUnsafeGuaranteedRef {
        body($0)
        next = $0.next
      }
    }
  }

  private func removeAll() {
    first = nil
    last = nil
  }

  func discard() {
    forEachEnlisted { $0.discard() }
    removeAll()
  }

  // MARK: The commit

  func commit(lock: FluxLock?, isolation: ActorIdentity) -> OperationResult {
    defer { removeAll() }
    guard let first else { return .unchanged }
    return first._withUnsafeGuaranteedRef { first in
      first.next == nil
        ? commit(first, lock: lock, isolation: isolation)
        : commitSeveral(on: first.flux, lock: lock, isolation: isolation)
    }
  }

  @inline(__always)
  private func commit(_ core: SubstanceCore, lock: FluxLock?, isolation: ActorIdentity) -> OperationResult {
    core.reduce()
    guard core.changes.pointee.hasDirty else { return .unchanged }
    core.publish()
    if core.isArchived { core.substance.stateDidChange() }
    guard !core.changes.pointee.isEmpty else {
      core.settle()
      return .unchanged
    }
    let result = OperationResult.committed(core)
    core.deliver(round: beginRound(), lock: lock, isolation: isolation)
    core.settle()
    return result
  }

  /// All is committed, and is told now. Comes after the commit: who listens from this round on finds the new state.
  @inline(__always)
  private func beginRound() -> Int {
    let round = round.load(ordering: .relaxed) + 1
    self.round.store(round, ordering: .releasing)
    return round
  }

  private func commitSeveral(on flux: Flux, lock: FluxLock?, isolation: ActorIdentity) -> OperationResult {
    forEachEnlisted { $0.reduce() }
    // All at once for readers, who hold this lock.
    flux.commitLock.withLock { _ in
      forEachEnlisted { if $0.changes.pointee.hasDirty { $0.publish() } }
    }
    var result = OperationResult.unchanged
    forEachEnlisted {
      if $0.isArchived && $0.changes.pointee.hasDirty { $0.substance.stateDidChange() }
      if !$0.changes.pointee.isEmpty { result.add($0) }
    }
    let round = beginRound()
    forEachEnlisted {
      if !$0.changes.pointee.isEmpty { $0.deliver(round: round, lock: lock, isolation: isolation) }
    }
    forEachEnlisted { if $0.changes.pointee.hasDirty { $0.settle() } }
    return result
  }
}
