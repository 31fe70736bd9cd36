/// Performs the operations of a flux one by one, on request. Between the operations the flux is locked.
///
/// Operations that an operation submits also wait for a request. Only one task at a time may use it.
package final class FluxStepper: Sendable {
  private let flux: Flux
  private let lock: FluxLock

  package init(_ flux: Flux) {
    self.flux = flux
    lock = flux.lockForReplay(at: SourcePlace(#fileID, #line))
  }

  deinit { lock.endReplay(isolation: nil) }

  /// Performs an action that comes from a recording, and not from the queue of the flux.
  ///
  /// - Returns: whether the value is an action.
  package func perform(action: any Sendable, isolation: (any Actor)?) -> Bool {
    guard let action = action as? any FluxAction else { return false }
    let operation = ActionOperation(dispatcher: flux.dispatcher, action: action)
    _ = flux.submitExclusively(operation.submitted(to: flux), isolation: ActorIdentity(isolation))
    return true
  }

  /// Performs a global mixer that comes from a recording, and not from the queue of the flux.
  ///
  /// - Parameters:
  ///   - name: the name of the mixer's case.
  ///   - isType: returns whether a type is the enum of the mixer.
  /// - Returns: whether a living substance defines the mixer.
  package func perform(
    mixer name: String,
    of isType: (Any.Type) -> Bool,
    payload: FluxPayload?,
    isolation: (any Actor)?
  ) -> Bool {
    let keys = flux.mixers.keys(named: name)
    guard let key = keys.first(where: { isType($0.metatype) }) else { return false }
    let operation = FluxOperation.mixer(
      MixerRequest(key: key, payload: payload),
      in: flux,
      at: SourcePlace()
    )
    _ = flux.submitExclusively(operation, isolation: ActorIdentity(isolation))
    return true
  }

  /// The first of the queued operations; `nil` if none is queued.
  package var waiting: (identity: OperationIdentity, cause: OperationCause?)? {
    flux.queue.decide { queue in
      queue.firstWaiting.map { ($0.identity, $0.submission?.cause) }
    }
  }

  /// Performs the first of the queued operations.
  ///
  /// - Returns: `false` if none is queued.
  package func performWaiting(isolation: (any Actor)?) -> Bool {
    guard let next = flux.queue.decide({ $0.beginFirstWaiting() }) else { return false }
    flux.perform(next, isolation: ActorIdentity(isolation))
    return true
  }
}
