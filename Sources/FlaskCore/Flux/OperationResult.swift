/// The result of an operation. The names of the changed keys are made only when they are requested.
///
/// The value has four words, so that a receipt that contains it is returned in registers.
package enum OperationResult: Sendable {
  /// With the keys that changed.
  case committed(ChangedKeys)
  /// The operation has changed no key, or was not performed. The outcome is, for example, `unchanged` or `failed`.
  case ended(FluxOutcome)

  package static var unchanged: OperationResult { .ended(.unchanged) }

  /// Adds a substance with changed keys.
  @inline(__always)
  mutating func add(_ cell: Cell) {
    guard case .committed(var keys) = self else {
      self = .committed(ChangedKeys(of: cell))
      return
    }
    keys.append(cell)
    self = .committed(keys)
  }

  /// Whether any key changed.
  package var isCommitted: Bool { if case .committed = self { true } else { false } }

  /// Whether the operation was performed completely.
  package var isDone: Bool {
    switch self {
    case .committed, .ended(.unchanged): true
    case .ended: false
    }
  }

  package var outcome: FluxOutcome {
    switch self {
    case .committed(let keys): .committed(keys: keys.names)
    case .ended(let outcome): outcome
    }
  }

  /// The outcome for a tracer, without the names of keys, since the tracer has the changes.
  package var traced: FluxOutcome {
    switch self {
    case .committed: .committed(keys: [])
    case .ended(let outcome): outcome
    }
  }
}
