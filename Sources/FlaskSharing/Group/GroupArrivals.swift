internal import Dispatch
internal import FlaskPrimitives

/// The operations that install what was read, at most one in each flux.
final class GroupArrivals: @unchecked Sendable {
  // `@unchecked Sendable`: `didArrive` is set once, before another thread has the object.
  private struct State {
    /// The fluxes with an operation that has not ended, each with the number of the operation.
    var submitted: [ObjectIdentifier: Int] = [:]
    var count = 0
    /// How many milliseconds a save waits for arrivals.
    var patience = 20
  }

  /// Called when an operation has ended, on any thread.
  var didArrive: @Sendable () -> Void = {}

  private let session: GroupSession
  /// Operations are submitted on a queue of their own, since reactions may run there.
  private let queue = DispatchQueue(label: "FlaskSharing.arrivals", qos: .userInitiated)
  private let state = Lock(State())
  private let outstanding = DispatchGroup()

  init(_ session: GroupSession) { self.session = session }

  /// Asks each flux to install what was read, unless it was asked already.
  func submit() {
    for flux in session.fluxesToInstall {
      let id = ObjectIdentifier(flux)
      let number = state.withLock { state -> Int? in
        if state.submitted[id] != nil { return nil }
        state.count += 1
        state.submitted[id] = state.count
        return state.count
      }
      guard let number else { continue }
      outstanding.enter()
      queue.async { [self] in
        let operation = FluxOperation(
          OperationIdentity(.arrival, by: .flask),
          in: flux,
          completion: { [self] _ in end(number, in: flux) }
        ) { [session] in session.install(in: $0, of: flux) }
        let receipt = flux.submit(operation, isolation: .none)
        // The completion of an operation that was refused is not called.
        if receipt.outcomeIfKnown != nil { end(number, in: flux) }
      }
    }
  }

  private func end(_ number: Int, in flux: Flux) {
    let isFirst = state.withLock { state in
      guard state.submitted[ObjectIdentifier(flux)] == number else { return false }
      state.submitted[ObjectIdentifier(flux)] = nil
      return true
    }
    guard isFirst else { return }
    session.didInstall(in: flux)
    outstanding.leave()
    didArrive()
  }

  /// Waits before a save until pending arrivals are installed. Otherwise frequent saves, during which nothing is
  /// installed, could delay arrivals for ever. If a flux is locked, this function does not wait. The time limit is
  /// doubled with each wait that reaches it, up to a second.
  func wait() {
    submit()
    if session.fluxesToInstall.contains(where: { !$0.locks.isEmpty }) { return }
    let limit = state.withLock { $0.patience }
    let isDone = outstanding.wait(timeout: .now() + .milliseconds(limit)) == .success
    state.withLock { $0.patience = isDone ? 20 : min(1000, $0.patience * 2) }
  }
}
