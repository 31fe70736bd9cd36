extension TestFlux {
  /// Performs a recording again, on substances of this test: a session of a device as a regression test.
  ///
  /// ```swift
  /// let cart = CartStore()
  /// test.dispatcher.register(workers: [cart])
  /// await test.replay(try Recording(contentsOf: session), on: [cart], actions: [AddItem.self])
  /// ```
  /// Recorded actions and mixers are sent again, actions of effects come from the recording, and for mixes from outside
  /// the recorded changes are applied: see `Recording.replay(actions:payloads:making:)`. Effects do not run from this
  /// point, and changes of the replay need not be asserted.
  ///
  /// Issues are reported at the line of the call: the first operation that differs from the recorded one, with the
  /// difference; a damage of the recording, which is performed up to the damage; and a recording that cannot be
  /// replayed.
  ///
  /// - Parameters:
  ///   - recording: the recording.
  ///   - substances: those that are compared, found by their names, or by the types of their states.
  ///   - actions: the types of the actions to send.
  ///   - payloads: the types of values in the payloads of mixers, in addition to those of the standard library.
  ///   - redacting: the rules for secrets whose values issues must not show: the same as for the recorder.
  ///   - isolation: the isolation of the caller; supplied by the compiler.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - filePath: as `fileID`.
  ///   - line: as `fileID`.
  ///   - column: as `fileID`.
  public func replay(
    _ recording: Recording,
    on substances: [AnySubstance],
    actions: [any (FluxAction & Decodable).Type] = [],
    payloads: [any (Decodable & Sendable).Type] = [],
    redacting: [Redaction] = [],
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    let place = TestPlace(fileID, filePath, line, column)
    reportUnasserted(at: place)
    environment.beginReplay()
    if let damage = recording.damage { fail("the recording is damaged: \(damage)", at: place) }
    do throws(ReplayError) {
      let report = try await recording.replay(
        on: substances,
        in: flux,
        actions: actions,
        payloads: payloads,
        redacting: redacting,
        isolation: isolation
      )
      if let difference = report.difference {
        fail("the replay goes another way (- as recorded, + now): \(difference)", at: place)
      }
    } catch {
      fail("the recording can't be replayed: \(error)", at: place)
    }
    drain(at: place)
    forgetChanges()
    reportFaults()
  }
}
