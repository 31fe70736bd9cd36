/// An asynchronous sequence of patches, one for each commit of a substance. For a slow reader it buffers the changes,
/// and not the states.
public typealias StatePatches<S: Sendable> = CommitSequence<StatePatch<S>>

extension TypedSubstance {
  /// The patches of this substance's commits, as a sequence. An iterator gets every commit after its creation.
  ///
  /// ```swift
  /// for await patch in board.patches() { send(try JSONEncoder().encode(patch)) }
  /// ```
  /// Patches are made on the thread that performs the operation. A patch takes time in proportion to the changes. Of an
  /// `Encodable` state, the properties next to a change are also compared.
  public final func patches() -> StatePatches<S> {
    commits(named: "patches") { StatePatch($0) }
  }

  /// Calls `handler` with the changes of each commit, for as long as the observation is retained.
  ///
  /// ```swift
  /// let token = board.observePatches { patch in log(patch.keys) }
  /// ```
  /// The closure is called after the reactors, as other observers are. It is called on its own isolation, or else on
  /// that of the caller; without isolation it is called on the performing thread.
  ///
  /// - Parameters:
  ///   - isolation: the isolation of the caller; supplied by the compiler.
  ///   - handler: receives the patch.
  public final func observePatches(
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (StatePatch<S>) -> Void
  ) -> SubstanceObservation {
    observeCommits(isolated: handler, from: isolation) { StatePatch($0) }
  }
}

extension Substance {
  /// Changes the state as a patch says. This is a mix: one operation, performed now or when its turn comes.
  ///
  /// ```swift
  /// if case .failed(let error) = await document.apply(patch).outcome { show(error) }
  /// ```
  /// A patch that does not fit changes nothing; the outcome is `failed` with the `PatchMismatch` that says where. See
  /// `StatePatch.apply(to:)`.
  ///
  /// - Parameters:
  ///   - patch: the changes to apply.
  ///   - isolation: the isolation of the caller; supplied by the compiler.
  /// - Returns: a promise of the outcome, which may be ignored.
  @discardableResult
  public final func apply(_ patch: StatePatch<S>, isolation: (any Actor)? = #isolation) -> FluxReceipt {
    mix(isolation: isolation) { try patch.apply(to: &$0) }
  }
}
