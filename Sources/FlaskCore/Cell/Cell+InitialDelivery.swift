extension Cell {
  /// Adds a listener that starts with the current state. The state is passed to `begin`; then the listener is notified
  /// of each later commit. Both happen on the isolation of the listener. If the caller is on that isolation, `begin`
  /// has run when this function returns.
  ///
  /// - Parameters:
  ///   - key: the key that the listener observes; -1 for all keys.
  ///   - callerIsolation: the isolation of the caller.
  ///   - subjectIsGone: called when the substance is deallocated.
  ///   - read: reads the initial value; by default the state of the cell.
  ///   - add: adds the listener to a list of the substance; by default to the list of observers of `key`.
  ///   - begin: gets the address of the state, which stays valid and unchanged during the call.
  package func listenFromNow(
    to key: Int,
    on isolation: HandlerIsolation,
    callerIsolation: ActorIdentity,
    subjectIsGone: (() -> Void)? = nil,
    reading read: (Cell, StartingState) -> StateBox = { $1.read(from: $0) },
    adding add: ((Listener) -> SubstanceObservation)? = nil,
    begin: @escaping (UnsafeRawPointer) -> Void,
    _ handler: @escaping (Commit) -> Void
  ) -> SubstanceObservation {
    let start = StartingState()
    let listener = Listener(handler, isolation: isolation, start: start, subjectIsGone: subjectIsGone)
    // Marks a delivery to the listener as in progress, so that commits are queued until the initial value has been
    // delivered.
    _ = listener.queue?.beginDirectly()
    let observation = add?(listener) ?? adding(listener, to: key)
    let box = read(self, start)
    let beginning = InitialDelivery(listener: listener, cell: self, box: box, begin: begin)
    if isolation.isCurrent(callerIsolation: callerIsolation) {
      beginning.deliver(callerIsolation: callerIsolation)
    } else if let actor = isolation.actor {
      isolation.enqueue(priority: Task.currentPriority) { await beginning.deliver(on: actor) }
    } else {
      beginning.drop()
    }
    return observation
  }

  private func adding(_ listener: Listener, to key: Int) -> SubstanceObservation {
    listeners.add(listener, key: key)
    let observation = SubstanceObservation(listener, among: listeners, key: key)
    register(observation, of: key)
    return observation
  }
}

/// The delivery of the initial state to a listener, which may be queued for the listener's isolation.
///
/// `@unchecked Sendable`:
/// - Isolation: `begin` is only called on the isolation of the listener; the rest is constant.
/// - If violated: a data race in client code.
private struct InitialDelivery: @unchecked Sendable {
  let listener: Listener
  let cell: Cell
  let box: StateBox
  let begin: (UnsafeRawPointer) -> Void

  func deliver(on actor: isolated any Actor) { deliver(callerIsolation: ActorIdentity(actor)) }

  func deliver(callerIsolation: ActorIdentity) {
    cell.performInContext {
      if listener.isListening { begin(UnsafeRawPointer(box.address)) }
    }
    box.unpin()
    listener.queue?.endDirectly(callerIsolation: callerIsolation)
  }

  /// The listener's isolation was deallocated.
  func drop() { box.unpin() }
}
