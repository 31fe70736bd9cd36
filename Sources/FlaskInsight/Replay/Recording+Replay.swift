extension Recording {
  /// Performs the recorded actions and mixers again, on fresh substances, and compares the changes of each operation.
  ///
  /// ```swift
  /// let report = try await recording.replay(actions: [AddItem.self]) {
  ///   let cart = CartStore()
  ///   Flask.dispatcher.register(workers: [cart])
  ///   return [cart]
  /// }
  /// ```
  /// Operations from outside are taken from the recording: actions and mixers are sent again if they were recorded with
  /// their values; of a mix, which is a closure, the recorded changes are applied. Operations that effects caused are
  /// treated in the same way: effects do not run, and the actions that they dispatched come from the recording. What
  /// operations and reactions submit is not sent: the code under test has to submit it again, and a difference says if
  /// it does not. If the observer or reactor no longer exists, as the screens of the app in a test, its submissions
  /// count as coming from outside.
  ///
  /// The replay runs in a separate flux, without archives and with a paused clock. It ends at the first difference.
  ///
  /// - Parameters:
  ///   - actions: the types of the actions to send. The types of mixers are found automatically, and so are payloads
  ///     with types of the standard library.
  ///   - payloads: other types of values in payloads.
  ///   - redacting: the rules for secrets whose values the report must not show, in addition to the mark `Redacted`:
  ///     the same as for the recorder. Secrets are not compared, either.
  ///   - isolation: the isolation of the caller; supplied by the compiler.
  ///   - make: makes the substances in the flux of the replay, and returns the substances to compare.
  /// - Throws: the error of `make`, or a `ReplayError`.
  public func replay(
    actions: [any (FluxAction & Decodable).Type] = [],
    payloads: [any (Decodable & Sendable).Type] = [],
    redacting: [Redaction] = [],
    isolation: isolated (any Actor)? = #isolation,
    making make: () throws -> [AnySubstance]
  ) async throws -> ReplayReport {
    let flux = Flux(environment: ReplayEnvironment())
    let substances = try Flux.$current.withValue(flux) { try make() }
    defer { flux.dispatcher.unregisterAll() }
    let types = ReplayedTypes(actions: actions, payloads: payloads)
    let replay = try LogicReplay(self, substances, in: flux, types, redacting: redacting)
    return try await replay.run(isolation: isolation)
  }

  /// Replays in an existing flux, whose effects do not run.
  package func replay(
    on substances: [AnySubstance],
    in flux: Flux,
    actions: [any (FluxAction & Decodable).Type],
    payloads: [any (Decodable & Sendable).Type],
    redacting: [Redaction],
    isolation: isolated (any Actor)?
  ) async throws(ReplayError) -> ReplayReport {
    let types = ReplayedTypes(actions: actions, payloads: payloads)
    let replay = try LogicReplay(self, substances, in: flux, types, redacting: redacting)
    return try await replay.run(isolation: isolation)
  }
}
