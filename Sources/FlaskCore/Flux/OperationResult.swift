internal import FlaskDiff

/// What performing an operation led to, in a form that is cheap to make and is turned into a `FluxOutcome` on demand.
enum OperationResult: Sendable {
  /// The one substance of the operation changed.
  case committed(CommittedKeys)
  /// Several substances took part, some changed.
  case committedSeveral([CommittedKeys])
  case unchanged
  case aborted
  case failed(any Error)
  case purged

  var outcome: FluxOutcome {
    switch self {
    case .committed(let keys): .committed(keys: keys.paths)
    case .committedSeveral(let several): .committed(keys: several.flatMap(\.paths))
    case .unchanged: .unchanged
    case .aborted: .aborted
    case .failed(let error): .failed(error)
    case .purged: .purged
    }
  }
}

/// The changed keys of one substance.
struct CommittedKeys: Sendable {
  let layout: StateLayout
  let changes: ChangeSet

  var paths: [String] {
    var paths: [String] = []
    changes.forEachKey { paths.append(layout.path(of: $0)) }
    return paths
  }
}
