extension Flask {
  /// Dispatches an action where the caller is, with the default dispatcher of the current flux: to its workers, then to
  /// each living substance that defines it. See `FluxDispatcher.dispatch(_:)`.
  @discardableResult
  public static func dispatch(
    _ action: any FluxAction,
    isolation: (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> FluxReceipt {
    Flux.current.dispatcher.dispatch(action, isolation: isolation, fileID: fileID, line: line)
  }
}
