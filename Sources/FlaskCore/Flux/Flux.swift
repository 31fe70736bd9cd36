internal import Dispatch
@_spi(FlaskInternals) internal import FlaskArchive

/// The one serial bus that orders everything: mixes, global mixers, actions and closures.
///
/// The flux performs operations one at a time, in the order of their submission, whatever thread they come from. Is
/// it idle and unlocked, an operation is performed on the submitting thread before the call returns; else it waits,
/// and whoever is draining the queue performs it. Operations submitted from inside an operation are performed
/// after it has delivered its reactions: never nested. After a batch of 1,024 operations a draining thread hands
/// what is left to a global queue.
///
/// `Flask.bus` is the shared flux. A flux of one's own isolates a test, a scene or a library:
///
/// ```swift
/// let flux = Flux()
/// Flux.$current.withValue(flux) { … }  // substances made here belong to it
/// ```
public final class Flux: Sendable {
  /// The flux to which substances made in this scope will belong, and on which `Flask.lock()` and its kin act.
  /// `Flask.bus` unless set with `Flux.$current.withValue(_:)`.
  @TaskLocal public static var current: Flux = Flask.bus

  /// How many operations one thread performs before it hands over.
  static let batch = 1024

  let queue = FluxQueue()
  /// Held by whoever looks for the committed state of a substance of this flux, and guards the restore points.
  let commitLock = Lock(())
  let mixers = MixerRegistry()
  let performer: FluxPerformer
  /// The default dispatcher, once it has been asked for.
  let ownDispatcher = Lock<FluxDispatcher?>(nil)
  private let faults = FaultHandler(nil)

  /// A bus of its own, idle and unlocked.
  public init() { performer = FluxPerformer() }

  /// Told each fault that happens on this flux, on the thread it happens on. `nil`: `Flask.onFault` is told.
  public var onFault: (@Sendable (FlaskFault) -> Void)? {
    get { faults.current }
    set { faults.current = newValue }
  }

  /// The number of operations that wait.
  public var waitingCount: Int { queue.decide { $0.waitingCount } }

  /// Performs `body` in the flux, in order with the mixes: at once if the flux is idle and unlocked, else later on
  /// whatever thread drains the queue. Mixes submitted by `body` are performed after it.
  @discardableResult
  @available(swift, introduced: 6)
  public func performInFluxQueue(
    isolation: (any Actor)? = #isolation,
    _ body: @escaping @Sendable () -> Void
  ) -> FluxReceipt {
    submit(.closure(body), isolation: ActorIdentity(isolation))
  }

  /// Drops every operation that still waits; their receipts say `purged`. The operation in progress goes on, and
  /// locks are kept, but for those that came with a dropped operation.
  public func purgeFluxQueue() {
    for dropped in queue.decide({ $0.purge() }) {
      dropped.pending.fill(.purged)
      dropped.lock?.release()
    }
  }

  // MARK: Submitting

  /// Performs `operation` now, or lets it wait.
  func submit(_ operation: FluxOperation, isolation: ActorIdentity) -> FluxReceipt {
    if !queue.beginAlone(), let pending = beginOrWait(operation) { return FluxReceipt(pending) }
    let result = performer.perform(operation, lock: nil, isolation: isolation)
    if !queue.finishAlone() { goOn(isolation: isolation) }
    return FluxReceipt(result)
  }

  /// Performs one closure over one substance now, or lets it wait: `submit` without the detours.
  @inline(never)
  func submit(_ step: MixStep, isolation: ActorIdentity) -> FluxReceipt {
    if !queue.beginAlone(), let pending = beginOrWait(.mix(step)) { return FluxReceipt(pending) }
    let result = performer.perform(step, isolation: isolation)
    if !queue.finishAlone() { goOn(isolation: isolation) }
    return FluxReceipt(result)
  }

  /// Performs a chain now, or lets it wait: `submit` without the detours.
  @inline(never)
  func submit(
    _ first: MixStep,
    _ second: Unmanaged<AnySubstance>,
    _ secondBody: @escaping MixStep.Body,
    _ more: Unmanaged<MoreSteps>?,
    isolation: ActorIdentity
  ) -> FluxReceipt {
    if !queue.beginAlone() {
      let second = MixStep(second.takeUnretainedValue(), secondBody)
      let more = more?.takeUnretainedValue().steps ?? []
      if let pending = beginOrWait(.chain([first, second] + more)) { return FluxReceipt(pending) }
    }
    let result = performer.perform(first, second, secondBody, more, isolation: isolation)
    if !queue.finishAlone() { goOn(isolation: isolation) }
    return FluxReceipt(result)
  }

  /// `nil` if the caller is to perform the operation now.
  @inline(never)
  private func beginOrWait(_ operation: FluxOperation) -> PendingOutcome? {
    queue.decide { queue in
      if queue.beginAtOnce() { return nil }
      let pending = PendingOutcome()
      queue.wait(WaitingOperation(operation: operation, pending: pending))
      return pending
    }
  }

  /// Ends the operation in progress, and performs what waits.
  @inline(never)
  func goOn(isolation: ActorIdentity) {
    if let next = queue.finish() { perform(next, isolation: isolation) }
  }

  /// Performs `operation` and what waits behind it.
  func perform(_ operation: consuming WaitingOperation, isolation: ActorIdentity) {
    var waiting: WaitingOperation? = operation
    for _ in 0..<Flux.batch {
      guard let next = waiting.take() else { return }
      let pending = next.pending
      pending.fill(result(of: next, isolation: isolation))
      waiting = queue.finish()
    }
    guard let rest = waiting else { return }
    DispatchQueue.global().async { self.perform(rest, isolation: ActorIdentity(nil)) }
  }

  /// Performs an operation and lets go of it: whoever waits for the outcome finds what the closures held released.
  @inline(never)
  private func result(of operation: consuming WaitingOperation, isolation: ActorIdentity) -> OperationResult {
    performer.perform(operation.operation, lock: operation.lock, isolation: isolation)
  }

  // MARK: Faults

  func report(_ kind: FlaskFault.Kind, _ message: String, at place: SourcePlace) {
    (onFault ?? Flask.onFault)(FlaskFault(kind, message, at: place))
  }
}
