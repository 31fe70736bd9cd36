extension Flask {
  /// Dispatches an action on the caller's thread, with the default dispatcher of the current flux. The action reaches
  /// the workers of the dispatcher, and then each living substance that defines it. See `FluxDispatcher.dispatch(_:)`.
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
