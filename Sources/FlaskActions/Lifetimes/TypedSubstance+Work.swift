public import FlaskScopes

extension TypedSubstance {
  /// Runs work as long as a value of the state is `true`: now if it is, and again each time that it becomes `true`.
  ///
  /// ```swift
  /// player.whileTrue(\.isPlaying) { for await tick in ticks() { print(tick) } }
  /// ```
  /// For the end, errors and the handle see `Scope.whilePresent(onError:_:)`.
  @discardableResult
  public final func whileTrue(
    _ keyPath: KeyPath<S, Bool>,
    onError: (@Sendable (any Error) -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    @_inheritActorContext _ work: @escaping @isolated(any) @Sendable () async throws -> Void
  ) -> FluxWork {
    Scope(of: self).whileTrue(keyPath, onError: onError, fileID: fileID, line: line, work)
  }

  /// Runs work for a value of the state, and begins it again for each other value. See `Scope.restarting(on:_:)`.
  ///
  /// ```swift
  /// search.restarting(on: \.text, pace: .debounce(.milliseconds(300))) { text in print(text) }
  /// ```
  @discardableResult
  public final func restarting<Value: Equatable & Sendable>(
    on keyPath: KeyPath<S, Value>,
    pace: FluxEffectPace = .immediate,
    clock: (any Clock<Duration>)? = nil,
    onError: (@Sendable (any Error) -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    @_inheritActorContext _ work: @escaping @isolated(any) @Sendable (_ value: Value) async throws -> Void
  ) -> FluxWork {
    Scope(of: self).restarting(
      on: keyPath,
      pace: pace,
      clock: clock,
      onError: onError,
      fileID: fileID,
      line: line,
      work
    )
  }
}
