extension ChainReaction {
  /// Continues a chain, from clients in Swift 5 mode: their closures need not be `Sendable`.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  public consuming func mix<T: AnySubstance>(
    _ substance: T,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping (T) throws -> Void
  ) -> ChainReaction {
    add(substance, at: SourceLocation(fileID, line), ObjectFunction.over(AnySubstance.self, unchecked: body))
    return self
  }

  /// The same as `mix`.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  public consuming func mixing<T: AnySubstance>(
    _ substance: T,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping (T) throws -> Void
  ) -> ChainReaction {
    add(substance, at: SourceLocation(fileID, line), ObjectFunction.over(AnySubstance.self, unchecked: body))
    return self
  }

  /// The same as `mix`.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  public consuming func with<T: AnySubstance>(
    _ substance: T,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping (T) throws -> Void
  ) -> ChainReaction {
    add(substance, at: SourceLocation(fileID, line), ObjectFunction.over(AnySubstance.self, unchecked: body))
    return self
  }

  /// The same as `mix`.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  public consuming func and<T: AnySubstance>(
    _ substance: T,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping (T) throws -> Void
  ) -> ChainReaction {
    add(substance, at: SourceLocation(fileID, line), ObjectFunction.over(AnySubstance.self, unchecked: body))
    return self
  }
}
