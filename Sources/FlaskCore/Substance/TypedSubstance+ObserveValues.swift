extension TypedSubstance {
  /// Calls `handler` with the values at some key paths: at once with the current values, and then once after each
  /// commit that has changed any of them, as long as the observation is retained.
  ///
  /// ```swift
  /// let token = feed.observe(valuesOf: \.count, \.name) { count, name in label.text = "\(count) \(name)" }
  /// ```
  /// The values of one call come from one commit. No commit between the current values and later ones is missed or
  /// delivered twice. The calls come in order, one at a time. The first call happens before this function returns, if
  /// the handler's isolation is that of the caller or if the handler has none; otherwise it happens soon, on the
  /// handler's isolation. See `observe(_:_:)` for where later calls run, and for key paths of other than stored
  /// properties. A hidden property (`_name`) of the state is excluded.
  ///
  /// For five values and more the compiler does not give the closure the isolation of its context. On the main actor
  /// the closure needs the annotation `{ @MainActor a, b, c, d, e in … }`.
  @available(swift, introduced: 6)
  public final func observe<each Value>(
    valuesOf keyPath: repeat KeyPath<S, each Value>,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext handler: @escaping @isolated(any) @Sendable (repeat each Value) -> Void
  ) -> SubstanceObservation {
    observeValues(of: repeat each keyPath, isolation: isolation, handler)
  }

  /// Observes two values. See `observe(valuesOf:handler:)`.
  @available(swift, introduced: 6)
  public final func observe<A, B>(
    valuesOf a: KeyPath<S, A>,
    _ b: KeyPath<S, B>,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext handler: @escaping @isolated(any) @Sendable (A, B) -> Void
  ) -> SubstanceObservation {
    // The compiler finds the isolation of a closure by the index of the parameter for the closure. After a pack of more
    // than one element this index is wrong. Therefore functions for two to four values exist.
    observeValues(of: a, b, isolation: isolation, handler)
  }

  /// Observes three values. See `observe(valuesOf:handler:)`.
  @available(swift, introduced: 6)
  public final func observe<A, B, C>(
    valuesOf a: KeyPath<S, A>,
    _ b: KeyPath<S, B>,
    _ c: KeyPath<S, C>,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext handler: @escaping @isolated(any) @Sendable (A, B, C) -> Void
  ) -> SubstanceObservation {
    observeValues(of: a, b, c, isolation: isolation, handler)
  }

  /// Observes four values. See `observe(valuesOf:handler:)`.
  @available(swift, introduced: 6)
  public final func observe<A, B, C, D>(
    valuesOf a: KeyPath<S, A>,
    _ b: KeyPath<S, B>,
    _ c: KeyPath<S, C>,
    _ d: KeyPath<S, D>,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext handler: @escaping @isolated(any) @Sendable (A, B, C, D) -> Void
  ) -> SubstanceObservation {
    observeValues(of: a, b, c, d, isolation: isolation, handler)
  }

  package final func observeValues<each Value>(
    of keyPath: repeat KeyPath<S, each Value>,
    isolation: (any Actor)?,
    _ handler: @escaping @isolated(any) @Sendable (repeat each Value) -> Void
  ) -> SubstanceObservation {
    let plain = PlainFunction.ofPack(handler)
    // A local function, since a closure cannot declare a parameter pack.
    func call(_ values: (repeat each Value)) { plain(repeat each values) }
    return reader(of: repeat each keyPath).observe(
      cell,
      on: HandlerIsolation(handler.isolation ?? isolation),
      callerIsolation: ActorIdentity(isolation),
      call
    )
  }
}
