public import Observation

extension TypedSubstance: Observable {
  /// The publisher of changes to Observation. Made when it is first requested.
  package final var publisher: StatePublisher {
    publishing.object {
      StatePublisher(keyCount: cell.layout.keyCount, isNotifiedOnMain: isTrackedOnMain) { [cell] in
        cell.setNotice(Cell.Notice.tracking, $0)
      }
    }
  }

  /// Passes the publisher to `body`, without retaining it: this substance retains it, and the caller retains this
  /// substance.
  final func withPublisher(_ body: (StatePublisher) -> Void) {
    if let made = publishing.present { made.use(body) } else { body(publisher) }
  }
}
