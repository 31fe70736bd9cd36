public import FlaskCore

extension AnyReactor {
  /// Starts a chain of mixes, from clients in Swift 5 mode: the closure need not be `Sendable`.
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
