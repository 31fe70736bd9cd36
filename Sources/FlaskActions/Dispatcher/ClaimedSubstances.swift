internal import FlaskPrimitives

/// The reactive substances of a flux that are registered with dispatchers other than the default one. They answer
/// actions of these dispatchers alone.
final class ClaimedSubstances: Sendable {
  /// The number of dispatchers for each substance. A dispatcher retains its workers, so no identifier is used twice.
  private let counts = Lock<[ObjectIdentifier: Int]>([:])

  func contains(_ substance: any MixerResponder) -> Bool {
    counts.withLock { $0[ObjectIdentifier(substance)] != nil }
  }

  /// A dispatcher has registered a worker.
  func add(_ worker: any FluxWorker) {
    guard worker is any MixerResponder else { return }
    counts.withLock { $0[ObjectIdentifier(worker), default: 0] += 1 }
  }

  /// A dispatcher no longer has a worker.
  func remove(_ worker: any FluxWorker) {
    guard worker is any MixerResponder else { return }
    counts.withLock { counts in
      guard let count = counts[ObjectIdentifier(worker)] else { return }
      counts[ObjectIdentifier(worker)] = count > 1 ? count - 1 : nil
    }
  }
}

extension Flux {
  var claimedSubstances: ClaimedSubstances { attachment { _ in ClaimedSubstances() } }
}
