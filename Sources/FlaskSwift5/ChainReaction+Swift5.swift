public import FlaskCore

extension ChainReaction {
  /// Adds a mix to the chain of mixes, from clients in Swift 5 mode: the closure need not be `Sendable`.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  public consuming func mix<T: AnySubstance>(
    _ substance: T,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping (T) throws -> Void
  ) -> ChainReaction {
    mix(substance, fileID: fileID, line: line, UncheckedSendable.changing(body))
  }

  /// A synonym of `mix`.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  public consuming func mixing<T: AnySubstance>(
    _ substance: T,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping (T) throws -> Void
  ) -> ChainReaction {
    mixing(substance, fileID: fileID, line: line, UncheckedSendable.changing(body))
  }

  /// A synonym of `mix`.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  public consuming func with<T: AnySubstance>(
    _ substance: T,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping (T) throws -> Void
  ) -> ChainReaction {
    with(substance, fileID: fileID, line: line, UncheckedSendable.changing(body))
  }

  /// A synonym of `mix`.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  public consuming func and<T: AnySubstance>(
    _ substance: T,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping (T) throws -> Void
  ) -> ChainReaction {
    and(substance, fileID: fileID, line: line, UncheckedSendable.changing(body))
  }
}
