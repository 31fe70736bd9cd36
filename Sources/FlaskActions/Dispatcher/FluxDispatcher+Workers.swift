internal import FlaskPrimitives

extension FluxDispatcher {
  /// The lock for adding and removing workers. All dispatchers share it, since the check that no dispatcher contains
  /// itself reads the workers of several dispatchers.
  private static let registration = Lock(())

  /// Registers workers, which this dispatcher retains from then on. May be called on any thread. An action that this
  /// dispatcher is already passing to its workers does not reach the new workers.
  ///
  /// A worker that is registered already, a dispatcher that would contain itself, and a store of another flux are
  /// faults, and are skipped.
  ///
  /// - Parameters:
  ///   - workers: the workers to add. They are asked in this order, after the workers registered before.
  ///   - priority: workers with a higher priority are asked first.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - line: as `fileID`.
  public func register(
    workers: [any FluxWorker],
    priority: Int = 0,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    for worker in workers {
      guard let fault = add(worker, priority: priority) else { continue }
      (flux ?? Flux.current).report(fault.kind, fault.message, at: SourcePlace(fileID, line))
    }
  }

  /// Removes workers, and cancels their effects. A worker that is not registered is skipped.
  public func unregister(workers: [any FluxWorker]) {
    for worker in workers {
      let commands = FluxDispatcher.registration.withLock { _ -> [EffectEngine.Command] in
        guard list.withLock({ $0.remove(worker) }) else { return [] }
        if !isDefault { claims.remove(worker) }
        return effects.disown(ObjectIdentifier(worker))
      }
      effects.execute(commands)
    }
  }

  /// Removes all workers, and cancels their effects.
  public func unregisterAll() { unregister(workers: workers) }

  /// The workers, in the order in which they are asked.
  public var workers: [any FluxWorker] { list.withLock { $0.inOrder } }

  private func add(_ worker: any FluxWorker, priority: Int) -> (kind: FlaskFault.Kind, message: String)? {
    if let other = flux(of: worker), other !== flux {
      return (
        .workerOfDifferentFlux,
        "\(type(of: worker)) belongs to another flux than its dispatcher, so it was not registered; "
          + "make both under one `Flux.current`"
      )
    }
    return FluxDispatcher.registration.withLock { _ in
      if let inner = worker as? FluxDispatcher, inner === self || inner.isAbove(self) {
        return (
          .dispatcherInItself,
          "a FluxDispatcher was to be registered as a worker of itself, which would never end; it was left out"
        )
      }
      if list.withLock({ $0.contains(worker) }) {
        return (
          .workerRegisteredTwice, "\(type(of: worker)) is registered already; register each worker once"
        )
      }
      effects.own(ObjectIdentifier(worker))
      if !isDefault { claims.add(worker) }
      list.withLock { $0.add(worker, priority: priority) }
      return nil
    }
  }

  private func flux(of worker: any FluxWorker) -> Flux? {
    switch worker {
    case let substance as AnySubstance: substance.flux
    case let dispatcher as FluxDispatcher: dispatcher.flux
    default: nil
    }
  }

  /// Whether `other` is a worker of this dispatcher, or is nested in one of its workers.
  private func isAbove(_ other: FluxDispatcher) -> Bool {
    workers.contains { worker in
      guard let inner = worker as? FluxDispatcher else { return false }
      return inner === other || inner.isAbove(other)
    }
  }
}
