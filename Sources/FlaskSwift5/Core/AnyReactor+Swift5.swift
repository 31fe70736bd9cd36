public import FlaskCore

extension AnyReactor {
  /// Starts a chain, from clients in Swift 5 mode: their closures need not be `Sendable`.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  @inlinable
  public final func mix<T: AnySubstance>(
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
  @inlinable
  public final func mixing<T: AnySubstance>(
    _ substance: T,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping (T) throws -> Void
  ) -> ChainReaction {
    mix(substance, fileID: fileID, line: line, UncheckedSendable.changing(body))
  }
}
