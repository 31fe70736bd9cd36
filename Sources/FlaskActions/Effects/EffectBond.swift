internal import FlaskPrimitives
internal import FlaskScopes

/// Ends an effect with a piece of state: with the commit that removes the state, or with its substance.
///
/// It does not retain the substance. The listeners of the substance retain it until the effect has ended.
final class EffectBond: Sendable {
  private let watched: WatchedValue<PartPresence>
  private let isLost: @Sendable () -> Void
  private let state = Lock(
    (presence: PartPresence?.none, observations: [SubstanceObservation](), isOver: false)
  )

  /// Begins to watch the state.
  ///
  /// - Parameter isLost: called once or several times when the state has been removed, on the performing thread; at once
  ///   if it does not exist.
  init(_ presence: FluxPresence, _ isLost: @escaping @Sendable () -> Void) {
    watched = presence.watched
    self.isLost = isLost
    let observations = watched.observe { commit in
      // A past state that a time travel shows ends nothing.
      if self.watched.cell.isInThePast { return }
      self.check(self.watched.read(commit.newAddress))
    }
    let end = watched.cell.whenGone { self.isLost() }
    state.withLock { $0.observations = observations + [end] }
    let present = watched.cell.pinPresent()
    let found = watched.read(UnsafeRawPointer(present.address))
    present.unpin()
    let isFirst = state.withLock { state in
      // A commit that was published meanwhile has been checked against nothing: it decides, unless it is this state.
      defer { state.presence = state.presence ?? found }
      return state.presence == nil
    }
    if !isFirst { check(found) }
    if found == nil || !watched.cell.subject.isAlive { isLost() }
  }

  /// The state was published.
  private func check(_ presence: PartPresence?) {
    let first = state.withLock { state in
      defer { state.presence = state.presence ?? presence }
      return state.presence
    }
    // Compared without the lock, since that runs client code.
    if presence == nil || first != nil && first != presence { isLost() }
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
