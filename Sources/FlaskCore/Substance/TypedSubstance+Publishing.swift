public import Observation
internal import Synchronization

extension TypedSubstance: Observable {
  /// What tells Observation of changes. Made when it is first asked for.
  package final var publisher: StatePublisher {
    if let made = publishing.load(ordering: .acquiring) { return made.object }
    let participant = participant
    let new = Borrowed.owned(
      StatePublisher(
        keyCount: participant.layout.keyCount,
        isToldOnMain: isTrackedOnMain
      ) { participant.setNotice(Participant.Notice.tracking, $0) }
    )
    let (isFirst, other) = publishing.compareExchange(
      expected: nil,
      desired: new,
      ordering: .acquiringAndReleasing
    )
    if isFirst { return new.object }
    defer { new.release() }
    return other?.object ?? new.object
  }

  /// What is not counted for the call is held by this substance, which is held by the caller.
  final func withPublisher(_ body: (StatePublisher) -> Void) {
    if let made = publishing.load(ordering: .acquiring) { made.use(body) } else { body(publisher) }
  }

  final func releasePublisher() {
    publishing.load(ordering: .acquiring)?.release()
  }
}
