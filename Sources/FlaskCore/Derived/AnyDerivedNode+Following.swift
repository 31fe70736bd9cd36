@_spi(FlaskInternals) internal import FlaskArchive

// Which substances a derived value depends on.
extension AnyDerivedNode {
  /// What derived values depend on, at any depth.
  private struct Dependencies {
    var participants: [Participant] = []
    /// The participants, and the derived values that have been asked.
    var seen: Set<ObjectIdentifier> = []
  }

  private final func addDependencies(to all: inout Dependencies) {
    if !all.seen.insert(ObjectIdentifier(self)).inserted { return }
    let (reads, sources) = state.withLock { ($0.reads, $0.sources) }
    for place in 0..<reads.count {
      let participant = AnyDerivedNode.participant(reads.cell(at: place).object)
      if all.seen.insert(ObjectIdentifier(participant)).inserted { all.participants.append(participant) }
    }
    for source in sources { source.node.addDependencies(to: &all) }
  }

  /// Has the substances that it depends on know it, and no others. What was read before they did may have changed
  /// without a word: then the moment is none.
  final func follow(at moment: Moment, isNew: Bool) {
    if follow() || isNew, !moment.checkStates() { refreshLater() }
  }

  /// Returns whether there is one more than before.
  private final func follow() -> Bool {
    let edition = state.withLock { $0.edition }
    var isMore = false
    var dependencies = Dependencies()
    addDependencies(to: &dependencies)
    let new = dependencies.participants
    let old = state.withLock { state in
      let old = state.followed
      if state.edition == edition { state.isFollowing = true }
      if state.isClosed || (old.count == new.count && zip(old, new).allSatisfy { $0 === $1 }) { return old }
      for participant in new where !old.contains(where: { $0 === participant }) {
        Followers.add(self, to: participant)
        isMore = true
      }
      for participant in old where !new.contains(where: { $0 === participant }) {
        Followers.remove(self, from: participant)
      }
      state.followed = new
      return old
    }
    // Released with no lock held: it may be the last reference to a state.
    withExtendedLifetime(old) {}
    return isMore
  }
}
