internal import FlaskEntities
internal import FlaskPrimitives
internal import Foundation

extension GroupSession {
  /// The transaction is done, or nothing had to be written.
  func settle(_ attempt: Attempt, at position: RecordPosition?) {
    guard let decision = attempt.decision else { return abandon(attempt) }
    for settle in decision.settle { settle() }
    let versions = shared.withLock { $0.parts }
    var truths = decision.truths
    for (key, shadow) in decision.shadows {
      guard let truth = truths[key] ?? versions[key]?.truth else { continue }
      truths[key] = truth.sharing(with: shadow)
    }
    for (key, truth) in truths {
      for (path, content) in truth.contents { tables[key]?[path]?.share(content) }
    }
    change { shared in
      if let position { shared.position = position }
      for (key, shadow) in decision.shadows { shared.parts[key]?.handOver(shadow, at: 0) }
      for (key, truth) in truths { shared.parts[key]?.truth = truth }
      for key in decision.truths.keys { shared.parts[key]?.presence = .present }
      shared.phase = .idle
    }
  }

  /// Nothing was written.
  func abandon(_ attempt: Attempt) { endPhase() }

  /// Ends an attempt whose commit has no known outcome, since the connection was lost. The phase stays `saving`, so
  /// that no arrival is installed before the outcome is known.
  func leaveInDoubt(_ attempt: Attempt) {
    guard let decision = attempt.decision, decision.count > 0 else { return abandon(attempt) }
    doubt = Doubt(
      token: decision.token,
      since: decision.since,
      shadows: decision.shadows,
      transactions: attempt.transactions.filter { $0.state == .performed }
    )
  }
}
