import Flask

/// The names of the airlines, loaded step by step.
final class Airlines: ReactiveSubstance<AirlinesState, AirlineMixers>, @unchecked Sendable {
  override func defineMixers() {
    define(mix: .Requested) { _, react, _ in
      self.prop.isLoading = true
      react()
    }
    define(mix: .Loaded) { payload, react, abort in
      guard let names = payload?["names"] as? [String: String] else { return abort() }
      self.prop.names = names
      self.prop.isLoading = false
      react()
    }
    define(mix: .Failed) { payload, react, _ in
      self.prop.failure = payload?["reason"] as? String
      self.prop.isLoading = false
      react()
    }
  }

  /// The name and the code of an airline, or the code alone: `Envoy Air (MQ)`.
  func label(_ code: String) -> String {
    state.names[code].map { "\($0) (\(code))" } ?? code
  }
}
