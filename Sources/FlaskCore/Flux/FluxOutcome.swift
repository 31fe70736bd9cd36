/// How an operation of the flux ended.
///
/// Later versions may add cases: a `switch` over it has an `@unknown default`.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum FluxOutcome: Sendable {
  /// The drafts became the state. `keys` are the changed keys, nested properties included, in the order of their
  /// declaration; of several substances, in the order in which the operation first named them. Keys below dictionaries
  /// and optionals are not listed: they are compared only when a handler asks.
  case committed(keys: [String])
  /// Every closure ran, and no key changed.
  case unchanged
  /// The operation was ended by `abort()`, or was refused: nothing changed. An operation is refused, for example, as a
  /// misuse, or because the process exits.
  case aborted
  /// A closure threw: nothing changed.
  case failed(any Error)
  /// The operation was dropped while it waited, by `purgeFluxQueue()`: nothing changed.
  case purged
  /// The part of the scope that was mixed no longer exists: nothing changed.
  case gone
  /// The work that has submitted the operation had ended before, with the state that it belongs to, or the effect had
  /// been cancelled: nothing changed.
  case cancelled
  /// The outcome is not known yet, and the wait for it has ended, for one of two reasons. The awaiting task was
  /// cancelled. Or the outcome was awaited inside of `withLock` of the same flux, which is a fault, since the wait
  /// would never end. The operation itself is not affected.
  case waiting
}

extension FluxOutcome: CustomStringConvertible {
  /// The case as text, with its keys or its error. A `Redacted` error is not shown.
  public var description: String {
    switch self {
    case .committed(let keys): "committed(\(keys.joined(separator: ", ")))"
    case .unchanged: "unchanged"
    case .aborted: "aborted"
    case .failed(let error): "failed(\(SafeText.of(error)))"
    case .purged: "purged"
    case .gone: "gone"
    case .cancelled: "cancelled"
    case .waiting: "waiting"
    }
  }
}
