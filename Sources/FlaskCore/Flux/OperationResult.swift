@_spi(FlaskInternals) internal import FlaskDiff

/// What performing an operation led to, in a form that is cheap to make and is turned into a `FluxOutcome` on demand.
///
/// Four words, receipt included, so that it is returned in registers; five cost a mix 5 ns.
enum OperationResult: Sendable {
  case committed(CommittedKeys, MoreCommittedKeys)
  case unchanged
  case aborted
  case failed(any Error)
  case purged

  /// Some keys of the one substance changed.
  @inline(__always)
  static func committed(_ core: SubstanceCore) -> OperationResult {
    .committed(CommittedKeys(core), MoreCommittedKeys.beyondFirstWord(of: core))
  }

  /// Adds another substance of which some keys changed.
  mutating func add(_ core: SubstanceCore) {
    guard case .committed(let keys, let more) = self else {
      self = .committed(core)
      return
    }
    self = .committed(keys, more.with(core))
  }

  /// Whether any key changed.
  var isCommitted: Bool {
    if case .committed = self { true } else { false }
  }

  var outcome: FluxOutcome {
    switch self {
    case .committed(let keys, let more): .committed(keys: keys.paths + more.paths)
    case .unchanged: .unchanged
    case .aborted: .aborted
    case .failed(let error): .failed(error)
    case .purged: .purged
    }
  }
}
