public import Observation

extension TypedSubstance: Observable {
  /// What tells Observation of changes. Made when it is first asked for.
  package final var publisher: StatePublisher {
    publishing.object {
      StatePublisher(keyCount: cell.layout.keyCount, isToldOnMain: isTrackedOnMain) { [cell] in
        cell.setNotice(Cell.Notice.tracking, $0)
      }
    }
  }

  /// What is not counted for the call is held by this substance, which is held by the caller.
  final func withPublisher(_ body: (StatePublisher) -> Void) {
    if let made = publishing.present { made.use(body) } else { body(publisher) }
  }
}
