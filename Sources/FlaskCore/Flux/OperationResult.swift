@_spi(FlaskInternals) internal import FlaskDiff

/// What performing an operation led to, in a form that is cheap to make and is turned into a `FluxOutcome` on demand.
///
/// Four words, so that it is returned in registers with its receipt.
enum OperationResult: Sendable {
  case committed(CommittedKeys, FurtherKeys)
  case unchanged
  case aborted
  case failed(any Error)
  case purged
  case gone

  /// Some keys of the one substance changed.
  @inline(__always)
  static func committed(_ cell: StateCell) -> OperationResult {
    .committed(CommittedKeys(cell), FurtherKeys.beyondFirstWord(of: cell))
  }

  /// Adds another substance of which some keys changed.
  mutating func add(_ cell: StateCell) {
    guard case .committed(let keys, let further) = self else {
      self = .committed(cell)
      return
    }
    self = .committed(keys, further.with(cell))
  }

  /// Whether it was performed to its end.
  var isDone: Bool {
    switch self {
    case .committed, .unchanged: true
    case .aborted, .failed, .purged, .gone: false
    }
  }

  /// Whether any key changed.
  var isCommitted: Bool {
    if case .committed = self { true } else { false }
  }

  /// The same for tracers, who know the changes.
  var traced: TracedOperation.Outcome {
    switch self {
    case .committed: .committed
    case .unchanged: .unchanged
    case .aborted: .aborted
    case .failed(let error): .failed(error)
    case .purged: .purged
    case .gone: .gone
    }
  }

  var outcome: FluxOutcome {
    switch self {
    case .committed(let keys, let further): .committed(keys: keys.paths + further.paths)
    case .unchanged: .unchanged
    case .aborted: .aborted
    case .failed(let error): .failed(error)
    case .purged: .purged
    case .gone: .gone
    }
  }
}
