extension IdleArchiver {
  /// Saves the state as it is now, and suspends until it is durable.
  func save() async -> Outcome {
    let (outcome, faults) = await withCheckedContinuation { continuation in
      save { outcome, faults in continuation.resume(returning: (outcome, faults)) }
    }
    report(faults)
    return outcome
  }
}
