internal import FlaskPrimitives
internal import FlaskScopes

/// Watches the piece of state on which an effect depends, such as an element of a list. Calls `isLost` with the commit
/// that removes it, or when its substance is deallocated.
///
/// It does not retain the substance. The listeners of the substance retain it until the effect has ended.
final class EffectBond: Sendable {
  private struct State {
    /// The presence of the first state that was seen, and the version of that state.
    var first: (presence: PartPresence?, version: Int)?
    var observations: [SubstanceObservation] = []
  }

  private let watched: WatchedValue<PartPresence>
  private let isLost: @Sendable () -> Void
  private let state = Lock(State())

  /// Begins to watch the state.
  ///
  /// - Parameter isLost: called when the state was removed, once or several times, on the performing thread; at once if
  ///   it does not exist.
  init(_ presence: FluxLifetime, _ isLost: @escaping @Sendable () -> Void) {
    watched = presence.watched
    self.isLost = isLost
    let observations = watched.observe { commit in
      // A past state that a time travel shows ends nothing.
      if self.watched.cell.isInThePast { return }
      self.check(self.watched.read(commit.newAddress), version: commit.number)
    }
    let end = watched.cell.whenGone { self.isLost() }
    state.withLock { $0.observations = observations + [end] }
    let present = watched.cell.pinPresent()
    defer { present.unpin() }
    check(watched.read(UnsafeRawPointer(present.address)), version: present.number)
    if !watched.cell.subject.isAlive { isLost() }
  }

  /// Compares the presence in a version of the state with the first one, and calls `isLost` if it differs. Versions
  /// older than the first are ignored: threads may deliver them out of order.
  private func check(_ presence: PartPresence?, version: Int) {
    let first = state.withLock { state in
      if state.first == nil { state.first = (presence, version) }
      return state.first
    }
    // Compared without the lock, since that runs client code.
    guard let first, version >= first.version else { return }
    if presence == nil || presence != first.presence { isLost() }
  }

  /// Ends the watch.
  func end() {
    let observations = state.withLock { state in
      defer { state.observations = [] }
      return state.observations
    }
    for observation in observations { observation.cancel() }
  }
}
